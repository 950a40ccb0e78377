import type { Unit } from "./units.ts";
import { germanNumber, monthName } from "../../src/prose/facts/format.ts";

export type Amount = { low: number | null; high: number | null; rough: boolean; unit: Unit & { name: string } };
/** Grammatical variants: the dative, and "mindestens" instead of "ab". */
export type Form = { isDative?: boolean; isLeast?: boolean };

/** Keeps an amount and its unit on one line. */
const SPACE = "\u00a0";

/**
 * Returns a fact as part of a sentence: "25–80 Euro je m²", "ab etwa 300 Euro", "März bis August". A number and its unit
 * stay on one line. It may break elsewhere, because large text would not fit on a small screen.
 */
export function factText(fact: Amount, form: Form = {}) {
  const { per } = fact.unit;
  return per ? `${amountText(fact, form)} ${per.replaceAll(" ", SPACE)}` : amountText(fact, form);
}

/** Returns a fact without what it refers to, for tables whose heading says so: "25–80 Euro". */
export function amountText({ low, high, rough, unit }: Amount, { isDative = false, isLeast = false }: Form = {}) {
  const { name, word, dative } = unit;
  if (word === null) return `${monthName(low ?? 1)} bis ${monthName(high ?? 12)}`;
  const amount = `${rough ? "etwa " : ""}${rangeText(low, high)}${SPACE}${(isDative && dative) || word}`;
  if (low === null) return `bis zu ${amount}`;
  if (high === null) return isLeast ? `mindestens ${amount}` : openText(name, amount);
  return amount;
}

function openText(unit: string, amount: string) {
  if (unit === "Jahre") return `${amount} und länger`;
  return unit === "Prozent" ? `über ${amount}` : `ab ${amount}`;
}

/** Returns two numbers joined by an en dash, or a single number if they are equal or one is missing. */
function rangeText(low: number | null, high: number | null) {
  const ends = [low, high].filter((end) => end !== null).map((end) => germanNumber(end));
  return [...new Set(ends)].join("–");
}
