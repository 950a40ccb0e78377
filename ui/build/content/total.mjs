/** @import { Fact } from "../../src/facts/facts.ts" */
/** @import { Complain } from "./attributes.mjs" */
/** @import { Amount } from "./fact-text.mjs" */
/** @import { Facts } from "./facts.mjs" */
import { findFact } from "./fact-use.mjs";

/** @typedef {[string, number | string]} Part a fact, and a number or another fact that says how often it counts */
/** @typedef {{ low: number | null, high: number | null }} Ends */
/** @typedef {Fact & Ends} Counted a fact, so many times */
/** @typedef {{ over?: string | null, share?: number, isPartial?: boolean }} Options */

/**
 * Returns what `<Total of={[["net", 10], ["cleaning", 10]]} />` amounts to: the sum of facts, each times a number or
 * another fact, from all low ends to all high ends, rounded to whole numbers. Facts that name the same minimum cost together
 * at least that, since they are one order. `isPartial` leaves that out, for a line of an order that has others; `share` takes
 * so much of the sum; `over` is a duration in years that it is spread over. `complain` ends the build where the parts do not
 * add up.
 *
 * @param {Facts} facts
 * @param {readonly Part[]} parts
 * @param {Options} options
 * @param {Complain} complain
 * @returns {Amount}
 */
export function totalOf(facts, parts, { over = null, share = 1, isPartial = false }, complain) {
  /** @type {(name: string) => Fact} */
  const find = (name) => findFact(facts, name, complain);
  const counted = parts.map(([name, factor]) => {
    const fact = find(name);
    const times = typeof factor === "number" ? { low: factor, high: factor } : find(factor);
    return { ...fact, low: product(fact.low, times.low), high: product(fact.high, times.high) };
  });
  const amounts = isPartial ? counted : ordersOf(facts, counted);
  const words = new Set(amounts.map(({ unit }) => unit.word));
  if (words.size > 1) complain(`<Total> cannot add ${[...words].join(" and ")}`);
  if (words.has(null)) complain("<Total> cannot add months of the year");
  const low = sumOf(amounts, "low", share);
  const high = sumOf(amounts, "high", share);
  if (low === null && high === null) complain("<Total>: neither the low nor the high end is known");
  const [{ unit }] = /** @type {[Amount]} */ (amounts);
  const total = { low, high, rough: amounts.some(({ rough }) => rough), unit: { ...unit, per: null } };
  return over === null ? total : perYear(total, find(over), complain);
}

/**
 * Adds up what belongs to one order, and raises it to what such an order costs at least.
 *
 * @param {Facts} facts
 * @param {readonly Counted[]} counted
 * @returns {Amount[]}
 */
function ordersOf(facts, counted) {
  const others = counted.filter(({ minimum }) => minimum === null);
  const names = new Set(counted.flatMap(({ minimum }) => minimum ?? []));
  const orders = [...names].map((name) => {
    const parts = counted.filter(({ minimum }) => minimum === name);
    const least = facts[name]?.low ?? 0;
    const [low, high] = [sumOf(parts, "low", 1), sumOf(parts, "high", 1)];
    const isRaised = low !== null && low < least;
    const [{ unit, rough }] = /** @type {[Counted]} */ (parts);
    return { low: atLeast(low, least), high: atLeast(high, least), rough: rough || isRaised, unit };
  });
  return [...orders, ...others];
}

/**
 * @param {number | null} amount
 * @param {number} least
 */
function atLeast(amount, least) {
  return amount === null ? null : Math.max(amount, least);
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
 * @param {number} share
 */
function sumOf(amounts, end, share) {
  let sum = 0;
  for (const amount of amounts) {
    const value = amount[end];
    if (value === null) return null;
    sum += value;
  }
  return Math.round(sum * share);
}
