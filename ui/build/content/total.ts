import type { Fact } from "../../src/facts/facts.ts";
import type { Complain } from "./attributes.ts";
import type { Amount } from "./fact-text.ts";
import type { Facts } from "./facts.ts";
import { findFact, type Part } from "./fact-use.ts";

export type Ends = { low: number | null; high: number | null };

/**
 * Returns what `<Total of={[["net", 10], ["cleaning", 10]]} />` amounts to: the sum of facts, each times a number or
 * another fact, from all low ends to all high ends, rounded to whole numbers. `over` is a duration in years that the sum
 * is spread over. `complain` ends the build where the parts do not add up.
 */
export function totalOf(facts: Facts, parts: readonly Part[], over: string | null, complain: Complain): Amount {
  const find: (name: string) => Fact = (name) => findFact(facts, name, complain);
  const amounts = parts.map(([name, factor]) => {
    const fact = find(name);
    const times = typeof factor === "number" ? { low: factor, high: factor } : find(factor);
    return { ...fact, low: product(fact.low, times.low), high: product(fact.high, times.high) };
  });
  const words = new Set(amounts.map(({ unit }) => unit.word));
  if (words.size > 1) complain(`<Total> cannot add ${[...words].join(" and ")}`);
  if (words.has(null)) complain("<Total> cannot add months of the year");
  const sum = { low: sumOf(amounts, "low"), high: sumOf(amounts, "high"), rough: amounts.some(({ rough }) => rough) };
  if (sum.low === null && sum.high === null) complain("<Total>: neither the low nor the high end is known");
  const [{ unit }] = amounts as [Fact];
  const total = { ...sum, unit: { ...unit, per: null } };
  return over === null ? total : perYear(total, find(over), complain);
}

function perYear({ low, high, rough, unit }: Amount, years: Fact, complain: Complain): Amount {
  if (years.unit.name !== "Jahre" || !years.low || !years.high) {
    return complain("over: must be a fact in years with both ends");
  }
  const ends = {
    low: low === null ? null : Math.round(low / years.high),
    high: high === null ? null : Math.round(high / years.low),
  };
  return { ...ends, rough, unit: { ...unit, per: "im Jahr" } };
}

/** Multiplies an end, which stays open when one of the two is. */
function product(amount: number | null, factor: number | null) {
  return amount === null || factor === null ? null : amount * factor;
}

function sumOf(amounts: readonly Ends[], end: keyof Ends) {
  let sum = 0;
  for (const amount of amounts) {
    const value = amount[end];
    if (value === null) return null;
    sum += value;
  }
  return Math.round(sum);
}
