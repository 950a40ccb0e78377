import type { z } from "zod";
import type { Complain } from "./source.ts";
import type { Fact } from "../../src/prose/facts/facts.ts";
import { amountText, factText } from "./fact-text.ts";
import { flag, oneOf, optionalMonth, optionalNumber, optionalText, slug, table, tables, text } from "./fields.ts";
import { readToml } from "./toml.ts";
import { MONTH, UNITS, unitNames } from "./units.ts";

/** Figures by name. */
export type Facts = Record<string, Fact>;

/** Origins of figures. Those with a month are estimates, as of then; `prices` says whether prices include VAT. */
const ORIGINS = tables({ name: slug, text, month: optionalMonth, prices: optionalText });

const ENTRIES = tables({
  name: slug,
  label: text,
  value: optionalNumber,
  low: optionalNumber,
  high: optionalNumber,
  unit: oneOf(unitNames),
  rough: flag,
  minimum: optionalText,
  origin: slug,
  meaning: text,
});
const FILE = table({ fact: ENTRIES, origin: ORIGINS });

export type Entry = z.output<typeof ENTRIES>[number];
type Origin = z.output<typeof ORIGINS>[number];

const months = new Intl.DateTimeFormat("de-DE", { month: "long", year: "numeric", timeZone: "UTC" });

/**
 * Reads the figures that texts and charts show. A single value becomes both low and high. `text` is for sentences,
 * `amount` for tables, and `origin`, which is required, says where the figure comes from.
 */
export async function readFacts(file: string) {
  const source = await readToml(file);
  const facts: Facts = {};
  const { fact: entries, origin: origins } = source.read(FILE);
  for (const [index, entry] of entries.entries()) {
    const complain = source.complainAt("fact", index);
    const { name, value, low, high, unit, origin: from, ...rest } = entry;
    if (name in facts) complain("name", `${name} is there twice`);
    checkAmount(entry, complain);
    const origin = origins.find((one) => one.name === from) ?? complain("origin", `there is no [[origin]] ${from}`);
    const read = { name, ...rest, low: value ?? low, high: value ?? high, unit: { name: unit, ...UNITS[unit] } };
    const shown = { origin: originText(origin, unit), isEstimate: origin.month !== null };
    facts[name] = { ...read, ...shown, text: factText(read), amount: amountText(read) };
  }
  for (const [index, { name }] of origins.entries()) {
    if (!entries.some(({ origin }) => origin === name)) source.complainAt("origin", index)("name", "no fact has it");
  }
  checkMinimums(entries, facts, source);
  return facts;
}

/** Returns where a figure comes from, such as "Schätzung der Redaktion, Stand November 2026, mit Mehrwertsteuer". */
function originText({ text: from, month, prices }: Origin, unit: string) {
  const asOf = month && `Stand ${months.format(new Date(`${month}-01`))}`;
  return [from, asOf, unit.startsWith("EUR") ? prices : null].filter(Boolean).join(", ");
}

/** Checks the minimum price of an order, which must be known wherever a price refers to it. */
function checkMinimums(entries: readonly Entry[], facts: Facts, source: Awaited<ReturnType<typeof readToml>>) {
  for (const [index, { minimum, unit }] of entries.entries()) {
    if (minimum === null) continue;
    const complain = source.complainAt("fact", index);
    if (!facts[minimum]?.low) complain("minimum", `there is no fact ${minimum} with a low end`);
    if (facts[minimum]?.unit.word !== UNITS[unit].word) complain("minimum", `${minimum} has another unit`);
  }
}

function checkAmount({ value, low, high, unit }: Entry, complain: Complain) {
  if (value !== null && low !== null) complain("low", "give either a value or low and high");
  if (value !== null && high !== null) complain("high", "give either a value or low and high");
  if (value === null && low === null && high === null) complain("value", "give a value, or low or high or both");
  if (unit === MONTH) checkMonths({ low, high }, complain);
  else if (low !== null && high !== null && low > high) complain("low", `${low} is more than high, ${high}`);
}

/** Checks the first and the last month of a season, which may span the turn of the year. */
function checkMonths(months: Record<string, number | null>, complain: Complain) {
  for (const [key, month] of Object.entries(months)) {
    if (!Number.isInteger(month) || month === null || month < 1 || month > 12) {
      complain(key, "must be a month from 1 to 12");
    }
  }
}
