import type { Amount } from "./fact-text.ts";
import type { Facts } from "./facts.ts";
import { type Complain, type Part, totalOf } from "./total.ts";
import { UNITS } from "./units.ts";

/** What is paid once, and two amounts per year: what is saved, and what is spent instead. */
type Bill = { cost: readonly Part[]; saves: readonly Part[]; upkeep: readonly Part[] };

/**
 * Returns after how many whole years a cost has paid off, if `saves` is no longer spent each year and `upkeep` is spent
 * instead: with all prices at their low ends, and with all at their high ends.
 */
export function paybackOf(facts: Facts, { cost, saves, upkeep }: Bill, complain: Complain): Amount {
  const [once, saved, spent] = [cost, saves, upkeep].map((parts) => totalOf(facts, parts, {}, complain));
  const years = (["low", "high"] as const).map((end) => {
    const gain = (saved?.[end] ?? 0) - (spent?.[end] ?? 0);
    return gain > 0 ? (once?.[end] ?? 0) / gain : complain("<Payback>: what is saved does not cover the upkeep");
  });
  const [low = 0, high = 0] = years.map((value) => Math.max(1, Math.round(value))).sort((a, b) => a - b);
  return { low, high, rough: true, unit: { name: "Jahre", ...UNITS.Jahre } };
}
