/** An axis from 0 with a mark at every round number. */
export interface Scale {
  ticks: number[];
  /** Returns the position of a value on the axis, in percent of its length. */
  position: (value: number) => number;
}

/** The most intervals that fit the axis on a small phone. */
const MOST_INTERVALS = 6;

/** The steps that an axis may have, times a power of ten. */
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
