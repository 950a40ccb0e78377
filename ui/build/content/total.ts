import type { Fact } from "../../src/prose/facts/facts.ts";
import type { Amount } from "./fact-text.ts";
import type { Facts } from "./facts.ts";

export type Ends = { low: number | null; high: number | null };
/** A fact and its quantity. */
type Counted = Fact & Ends;
type Options = { over?: string; share?: number; isPartial?: boolean; isMiddle?: boolean };
export type Complain = (message: string) => never;

/** A fact, and its quantity as a number or another fact. */
export type Part = readonly [string, number | string];

/**
 * Returns the value of `<Total of={[["net", 10], ["cleaning", 10]]} />`: the sum of facts, each times a number or another
 * fact, from all low ends to all high ends, rounded to whole numbers. Facts with the same minimum are one order, and
 * together cost at least that much. `isPartial` ignores the minimum, for one line of a larger order; `share` takes this
 * share of the sum; `over` is a duration in years to spread it over; `isMiddle` takes the mean of both ends, to the
 * nearest ten. `complain` fails the build if the parts do not add up.
 */
export function totalOf(
  facts: Facts,
  parts: readonly Part[],
  { over, share = 1, isPartial = false, isMiddle = false }: Options,
  complain: Complain,
): Amount {
  const find = (name: string) => facts[name] ?? complain(`there is no fact ${name}`);
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
  const [{ unit }] = amounts as [Amount];
  if (isMiddle && low !== null && high !== null) {
    const middle = Math.round((low + high) / 20) * 10;
    return { low: middle, high: middle, rough: true, unit: { ...unit, per: null } };
  }
  const total = { low, high, rough: amounts.some(({ rough }) => rough), unit: { ...unit, per: null } };
  return over === undefined ? total : perYear(total, find(over), complain);
}

/** Adds up the facts of each order, and raises the sum to the minimum of such an order. */
function ordersOf(facts: Facts, counted: readonly Counted[]): Amount[] {
  const others = counted.filter(({ minimum }) => minimum === null);
  const names = new Set(counted.flatMap(({ minimum }) => minimum ?? []));
  const orders = [...names].map((name) => {
    const parts = counted.filter(({ minimum }) => minimum === name);
    const least = facts[name]?.low ?? 0;
    const [low, high] = [sumOf(parts, "low", 1), sumOf(parts, "high", 1)];
    const isRaised = low !== null && low < least;
    const [{ unit, rough }] = parts as [Counted];
    return { low: atLeast(low, least), high: atLeast(high, least), rough: rough || isRaised, unit };
  });
  return [...orders, ...others];
}

function atLeast(amount: number | null, least: number) {
  return amount === null ? null : Math.max(amount, least);
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

/** Multiplies two ends; the result is open if either is. */
function product(amount: number | null, factor: number | null) {
  return amount === null || factor === null ? null : amount * factor;
}

function sumOf(amounts: readonly Ends[], end: keyof Ends, share: number) {
  let sum = 0;
  for (const amount of amounts) {
    const value = amount[end];
    if (value === null) return null;
    sum += value;
  }
  return Math.round(sum * share);
}
