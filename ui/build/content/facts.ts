import type { z } from "zod";
import type { Complain } from "./source.ts";
import type { Fact } from "../../src/facts/facts.ts";
import { amountText, factText } from "./fact-text.ts";
import { flag, oneOf, optionalNumber, slug, table, tables, text } from "./fields.ts";
import { readToml } from "./toml.ts";
import { MONTH, UNITS, unitNames } from "./units.ts";

/** Figures by name. */
export type Facts = Record<string, Fact>;

const ENTRIES = tables({
  name: slug,
  label: text,
  value: optionalNumber,
  low: optionalNumber,
  high: optionalNumber,
  unit: oneOf(unitNames),
  rough: flag,
  meaning: text,
});
const FILE = table({ fact: ENTRIES });

export type Entry = z.output<typeof ENTRIES>[number];

/**
 * Reads the figures that texts and charts show. A single value becomes both low and high. `text` is for sentences,
 * `amount` for tables.
 */
export async function readFacts(file: string) {
  const source = await readToml(file);
  const facts: Facts = {};
  for (const [index, entry] of source.read(FILE).fact.entries()) {
    const complain = source.complainAt("fact", index);
    const { name, value, low, high, unit, ...rest } = entry;
    if (name in facts) complain("name", `${name} is there twice`);
    checkAmount(entry, complain);
    const read = { name, ...rest, low: value ?? low, high: value ?? high, unit: { name: unit, ...UNITS[unit] } };
    facts[name] = { ...read, text: factText(read), amount: amountText(read) };
  }
  return facts;
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
