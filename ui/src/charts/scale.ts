/** An axis from 0 with a mark at every round number. */
export interface Scale {
  ticks: number[];
  /** Where a value lies on the axis, in percent of its length. */
  position: (value: number) => number;
}

/** More intervals than this would crowd the axis on a small phone. */
const MOST_INTERVALS = 6;

/** What a step may be, times a power of ten. */
const ROUND = [1, 2, 5, 10];

/** The axis for values from 0 to `highest`. */
export function scaleTo(highest: number): Scale {
  const step = roundStep(highest / MOST_INTERVALS);
  const intervals = Math.max(1, Math.ceil(highest / step));
  const end = intervals * step;
  return {
    ticks: Array.from({ length: intervals + 1 }, (_, index) => index * step),
    position: (value) => Math.round((value / end) * 1000) / 10,
  };
}

/** The smallest round number that is not below a value. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = ROUND.find((candidate) => candidate * power >= atLeast) ?? 10;
  return factor * power;
}
