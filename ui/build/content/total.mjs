/** @import { Fact } from "../../src/facts/facts.ts" */
/** @import { Complain } from "./attributes.mjs" */
/** @import { Amount } from "./fact-text.mjs" */
/** @import { Facts } from "./facts.mjs" */
import { findFact } from "./fact-use.mjs";

/** @typedef {[string, number | string]} Part a fact, and a number or another fact that says how often it counts */
/** @typedef {{ low: number | null, high: number | null }} Ends */

/**
 * Returns what `<Total of={[["net", 10], ["cleaning", 10]]} />` amounts to: the sum of facts, each times a number or
 * another fact, from all low ends to all high ends, rounded to whole numbers. `over` is a duration in years that the sum
 * is spread over. `complain` ends the build where the parts do not add up.
 *
 * @param {Facts} facts
 * @param {readonly Part[]} parts
 * @param {string | null} over
 * @param {Complain} complain
 * @returns {Amount}
 */
export function totalOf(facts, parts, over, complain) {
  /** @type {(name: string) => Fact} */
  const find = (name) => findFact(facts, name, complain);
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
  const [{ unit }] = /** @type {[Fact]} */ (amounts);
  const total = { ...sum, unit: { ...unit, per: null } };
  return over === null ? total : perYear(total, find(over), complain);
}

/**
 * @param {Amount} total
 * @param {Fact} years
 * @param {Complain} complain
 * @returns {Amount}
 */
function perYear({ low, high, rough, unit }, years, complain) {
  if (years.unit.name !== "Jahre" || !years.low || !years.high) {
    return complain("over: must be a fact in years with both ends");
  }
  const ends = {
    low: low === null ? null : Math.round(low / years.high),
    high: high === null ? null : Math.round(high / years.low),
  };
  return { ...ends, rough, unit: { ...unit, per: "im Jahr" } };
}

/**
 * Multiplies an end, which stays open when one of the two is.
 *
 * @param {number | null} amount
 * @param {number | null} factor
 */
function product(amount, factor) {
  return amount === null || factor === null ? null : amount * factor;
}

/**
 * @param {readonly Ends[]} amounts
 * @param {keyof Ends} end
 */
function sumOf(amounts, end) {
  let sum = 0;
  for (const amount of amounts) {
    const value = amount[end];
    if (value === null) return null;
    sum += value;
  }
  return Math.round(sum);
}
