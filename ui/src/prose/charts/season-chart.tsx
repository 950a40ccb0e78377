import { useId } from "react";
import { type Fact, findFact, originsOf } from "../facts/facts.ts";
import { monthName } from "../facts/format.ts";
import { BAR, BASE as BASE_LINE } from "./range-bar.tsx";

/** Sizes in units of the drawing. */
const MONTH_WIDTH = 30;
const BAR_WIDTH = 24;
const BASE = 84;
const HEIGHT = 106;
const HEIGHTS: Record<Demand, number> = { peak: 76, medium: 46, quiet: 22 };
const FILLS: Record<Demand, string> = { peak: BAR.fill, medium: "var(--draw-rose)", quiet: "var(--draw-water)" };

/** Shows when firms are busy: the months as bars, by the seasons of `content/facts.toml`. */
export function SeasonChart({ title = "Wann viel zu tun ist" }: { title?: string }) {
  const id = useId();
  const [peak, quiet, saving] = ["season-peak", "season-quiet", "winter-saving"].map(findFact);
  if (!peak || !quiet || !saving) return null;
  return (
    <figure className="chart">
      <figcaption className="label" data-below="4">
        {title}
      </figcaption>
      <svg
        className="chart-season"
        viewBox={`0 0 ${12 * MONTH_WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}title`}
        aria-describedby={`${id}text`}
      >
        <title id={`${id}title`}>{title}</title>
        <desc id={`${id}text`}>
          {`${peak.label}: ${peak.amount}. ${quiet.label}: ${quiet.amount}. Dazwischen ist die Nachfrage mittel.`}
        </desc>
        {MONTHS.map((month) => (
          <Month
            key={month}
            demand={isIn(month, peak) ? "peak" : isIn(month, quiet) ? "quiet" : "medium"}
            month={month}
          />
        ))}
        <line {...BASE_LINE} x1="0" x2={12 * MONTH_WIDTH} y1={BASE} y2={BASE} />
      </svg>
      <ul className="chart-key">
        <li data-demand="peak">
          <strong>{peak.label}</strong> {peak.amount}: {peak.meaning}
        </li>
        <li data-demand="medium">
          <strong>Dazwischen</strong> normale Auslastung
        </li>
        <li data-demand="quiet">
          <strong>{quiet.label}</strong> {quiet.amount}: {quiet.meaning}, Nachlass von {saving.amount} möglich
        </li>
      </ul>
      <p className="hint" data-above="3">
        {originsOf([peak, quiet, saving])}
      </p>
    </figure>
  );
}

function Month({ demand, month }: { demand: Demand; month: number }) {
  const x = (month - 0.5) * MONTH_WIDTH;
  const height = HEIGHTS[demand];
  return (
    <>
      <rect {...BAR} fill={FILLS[demand]} x={x - BAR_WIDTH / 2} y={BASE - height} width={BAR_WIDTH} height={height} />
      <text x={x} y={BASE + 17} textAnchor="middle">
        {monthName(month).slice(0, 1)}
      </text>
    </>
  );
}

/** How busy a month is. */
type Demand = "peak" | "quiet" | "medium";

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

/** Returns whether a month belongs to a season, which may span the turn of the year. */
function isIn(month: number, { low, high }: Fact): boolean {
  const [first, last] = [low ?? 1, high ?? 12];
  return first <= last ? month >= first && month <= last : month >= first || month <= last;
}
