import type { Fact, Unit } from "./facts.ts";

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

/** A fact as it stands in a sentence: "25–80 Euro je m²", "ab etwa 300 Euro", "März bis August". */
export function factText(fact: Fact): string {
  return fact.unit.per ? `${amountText(fact)} ${fact.unit.per}`.replaceAll(" ", SPACE) : amountText(fact);
}

/** The same without what it is for, where a table's column or a heading says that: "25–80 Euro". */
export function amountText(fact: Fact): string {
  return amount(fact).replaceAll(" ", SPACE);
}

function amount({ low, high, rough, unit }: Fact): string {
  const about = rough ? "etwa " : "";
  if (unit.word === null) return `${monthName(low ?? 1)} bis ${monthName(high ?? 12)}`;
  if (low === null) return `bis zu ${about}${germanNumber(high ?? 0)} ${unit.word}`;
  if (high === null) return openText(about + germanNumber(low), unit);
  return `${about}${rangeText(low, high)} ${unit.word}`;
}

function openText(start: string, { name, word }: Unit): string {
  return name === "Jahre" ? `${start} ${word} und länger` : `ab ${start} ${word}`;
}

/** Two numbers with an en dash, or one when they are the same. */
function rangeText(low: number, high: number): string {
  return low === high ? germanNumber(low) : `${germanNumber(low)}–${germanNumber(high)}`;
}
