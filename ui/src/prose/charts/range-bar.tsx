import { germanNumber } from "../facts/format.ts";
import type { Scale } from "./scale.ts";

interface Props {
  low: number;
  /** Null for a range without an end. */
  high: number | null;
  /** The value at which the bar ends. */
  end: number;
  scale: Scale;
}

/** The distance of a value from its end of the bar. */
const GAP = "0.5em";

/**
 * Draws a range as a bar with its values at both ends. Horizontal positions are percentages and heights follow the size
 * of the text, so that the bar fits every width without scaling the text.
 */
export function RangeBar({ low, high, end, scale }: Props) {
  const from = scale.position(low);
  const to = scale.position(end);
  return (
    <svg className="chart-bar" aria-hidden="true">
      <Grid scale={scale} />
      <rect
        className={high === null ? "chart-range chart-open" : "chart-range"}
        x={`${from}%`}
        y="30%"
        width={`${to - from}%`}
        height="40%"
      />
      <VerticalLine className="chart-end" at={from} from="15%" to="85%" />
      {high !== null && <VerticalLine className="chart-end" at={to} from="15%" to="85%" />}
      <text x={`${from}%`} y="50%" dx={`-${GAP}`} dy="0.35em" textAnchor="end">
        {germanNumber(low)}
      </text>
      <text x={`${to}%`} y="50%" dx={GAP} dy="0.35em">
        {high === null ? "und mehr" : germanNumber(high)}
      </text>
    </svg>
  );
}

/** Draws the numbers below all bars. */
export function Axis({ scale }: { scale: Scale }) {
  return (
    <svg className="chart-axis" aria-hidden="true">
      <line className="chart-base" x1="0" x2="100%" y1="1" y2="1" />
      {scale.ticks.map((tick) => (
        <text key={tick} x={`${scale.position(tick)}%`} y="1.5em" textAnchor="middle">
          {germanNumber(tick)}
        </text>
      ))}
    </svg>
  );
}

function Grid({ scale }: { scale: Scale }) {
  return scale.ticks.map((tick) => (
    <VerticalLine key={tick} className="chart-grid" at={scale.position(tick)} from="0" to="100%" />
  ));
}

function VerticalLine({ className, at, from, to }: { className: string; at: number; from: string; to: string }) {
  return <line className={className} x1={`${at}%`} x2={`${at}%`} y1={from} y2={to} />;
}
