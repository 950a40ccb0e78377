import type { SVGProps } from "react";
import { germanNumber } from "../facts/format.ts";

interface Props {
  low: number;
  /** Null for an open range. */
  high: number | null;
  /** The value at which the bar ends. */
  end: number;
  scale: Scale;
}

/** The look of bars, the ends of ranges and the line below all bars. */
export const BAR = { fill: "var(--draw-brick)", stroke: "var(--ink)", strokeWidth: 1.5 };
export const BASE = { stroke: "var(--ink)", strokeWidth: 1.5 };
const END = { stroke: "var(--ink)", strokeWidth: 3 };

/** The distance of a value from the end of its bar. */
const GAP = "0.5em";

/**
 * Draws a range as a bar with its values at both ends. Horizontal positions are percentages and heights follow the text
 * size, so that the bar fits every width without scaling the text.
 */
export function RangeBar({ low, high, end, scale }: Props) {
  const from = scale.position(low);
  const to = scale.position(end);
  return (
    <svg className="chart-bar" aria-hidden="true">
      <Grid scale={scale} />
      <rect
        // An open range has no outline, because it has no end.
        {...(high === null ? { fill: "var(--draw-rose)" } : BAR)}
        x={`${from}%`}
        y="30%"
        width={`${to - from}%`}
        height="40%"
      />
      <VerticalLine {...END} at={from} from="15%" to="85%" />
      {high !== null && <VerticalLine {...END} at={to} from="15%" to="85%" />}
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
      <line {...BASE} x1="0" x2="100%" y1="1" y2="1" />
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
    <VerticalLine key={tick} stroke="var(--line)" at={scale.position(tick)} from="0" to="100%" />
  ));
}

function VerticalLine({ at, from, to, ...line }: SVGProps<SVGLineElement> & { at: number }) {
  return <line {...line} x1={`${at}%`} x2={`${at}%`} y1={from} y2={to} />;
}

/** An axis from 0 with a mark at every round number. */
export interface Scale {
  ticks: number[];
  /** Returns the position of a value on the axis, in percent of its length. */
  position: (value: number) => number;
}

/** The most intervals that fit the axis on a small phone. */
const MOST_INTERVALS = 6;

/** The possible steps of an axis, times a power of ten. */
const ROUND = [1, 2, 5, 10];

/** Returns the axis for values from 0 to `highest`. */
export function scaleTo(highest: number): Scale {
  const step = roundStep(highest / MOST_INTERVALS);
  const intervals = Math.max(1, Math.ceil(highest / step));
  const end = intervals * step;
  return {
    ticks: Array.from({ length: intervals + 1 }, (_, index) => index * step),
    position: (value) => Math.round((value / end) * 1000) / 10,
  };
}

/** Returns the smallest round number that is not below a value. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = ROUND.find((candidate) => candidate * power >= atLeast) ?? 10;
  return factor * power;
}
