import type { Fact } from "./facts.ts";

/** Keeps an amount and its unit on one line. */
const SPACE = "\u00a0";

const numbers = new Intl.NumberFormat("de-DE");
const months = new Intl.DateTimeFormat("de-DE", { month: "long", timeZone: "UTC" });

/** A number as Germans write it: 1.500 and 9,2. */
export function germanNumber(value: number): string {
  return numbers.format(value);
}

/** The name of a month, from 1. */
export function monthName(month: number): string {
  return months.format(new Date(Date.UTC(2025, month - 1, 1)));
}

/**
 * A fact as it stands in a sentence: "25–80 Euro je m²", "ab etwa 300 Euro", "März bis August". A number and its unit
 * stay on one line; elsewhere it may break, or large text would not fit a small screen.
 */
export function factText(fact: Fact): string {
  const { per } = fact.unit;
  return per ? `${amountText(fact)} ${per.replaceAll(" ", SPACE)}` : amountText(fact);
}

/** The same without what it is for, where a table's column or a heading says that: "25–80 Euro". */
export function amountText({ low, high, rough, unit }: Fact): string {
  const { name, word } = unit;
  if (word === null) return `${monthName(low ?? 1)} bis ${monthName(high ?? 12)}`;
  const amount = `${rough ? "etwa " : ""}${rangeText(low, high)}${SPACE}${word}`;
  if (low === null) return `bis zu ${amount}`;
  if (high === null) return name === "Jahre" ? `${amount} und länger` : `ab ${amount}`;
  return amount;
}

/** Two numbers with an en dash, or one when there is only one or they are the same. */
function rangeText(low: number | null, high: number | null): string {
  const numbers = new Set([low, high].filter((end) => end !== null));
  return [...numbers].map(germanNumber).join("–");
}
