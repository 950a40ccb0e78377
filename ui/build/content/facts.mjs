/** @import { z } from "zod" */
/** @import { Complain } from "./source.mjs" */
/** @import { Fact } from "../../src/facts/facts.ts" */
import { amountText, factText } from "./fact-text.mjs";
import { flag, oneOf, optionalNumber, slug, table, tables, text } from "./fields.mjs";
import { readToml } from "./toml.mjs";
import { MONTH, UNITS, unitNames } from "./units.mjs";

/** @typedef {Record<string, Fact>} Facts figures by name */

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

/** @typedef {z.output<typeof ENTRIES>[number]} Entry */

/**
 * Reads the figures that texts and charts show. A single value becomes both low and high. `text` is for sentences,
 * `amount` for tables.
 *
 * @param {string} file
 */
export async function readFacts(file) {
  const source = await readToml(file);
  /** @type {Facts} */
  const facts = {};
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

/**
 * @param {Entry} entry
 * @param {Complain} complain
 */
function checkAmount({ value, low, high, unit }, complain) {
  if (value !== null && low !== null) complain("low", "give either a value or low and high");
  if (value !== null && high !== null) complain("high", "give either a value or low and high");
  if (value === null && low === null && high === null) complain("value", "give a value, or low or high or both");
  if (unit === MONTH) checkMonths({ low, high }, complain);
  else if (low !== null && high !== null && low > high) complain("low", `${low} is more than high, ${high}`);
}

/**
 * Checks the first and the last month of a season, which may span the turn of the year.
 *
 * @param {Record<string, number | null>} months
 * @param {Complain} complain
 */
function checkMonths(months, complain) {
  for (const [key, month] of Object.entries(months)) {
    if (!Number.isInteger(month) || month === null || month < 1 || month > 12) {
      complain(key, "must be a month from 1 to 12");
    }
  }
}
