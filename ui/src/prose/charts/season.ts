import type { Fact } from "../facts/facts.ts";

/** How busy a month is. */
export type Demand = "peak" | "quiet" | "medium";

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

/** Returns how busy each month is, from January, given two seasons. */
export function demandByMonth(peak: Fact, quiet: Fact): Demand[] {
  return MONTHS.map((month) => (isIn(month, peak) ? "peak" : isIn(month, quiet) ? "quiet" : "medium"));
}

/** Tells whether a month belongs to a season, which may span the turn of the year. */
function isIn(month: number, { low, high }: Fact): boolean {
  const [first, last] = [low ?? 1, high ?? 12];
  return first <= last ? month >= first && month <= last : month >= first || month <= last;
}
