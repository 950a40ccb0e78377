/** @import { z } from "zod" */
/** @import { Complain } from "./source.mjs" */
/** @import { Fact } from "../../src/facts/facts.ts" */
import { amountText, factText } from "./fact-text.mjs";
import { flag, oneOf, optionalMonth, optionalNumber, optionalText, slug, table, tables, text } from "./fields.mjs";
import { readToml } from "./toml.mjs";
import { MONTH, UNITS, unitNames } from "./units.mjs";

/** @typedef {Record<string, Fact>} Facts figures by name */

/** Where figures come from. Those with a month are estimates, as of then; `prices` says whether prices include VAT. */
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

/** @typedef {z.output<typeof ENTRIES>[number]} Entry */
/** @typedef {z.output<typeof ORIGINS>[number]} Origin */

const months = new Intl.DateTimeFormat("de-DE", { month: "long", year: "numeric", timeZone: "UTC" });

/**
 * Reads the figures that texts and charts show. A single value becomes both low and high. `text` is for sentences,
 * `amount` for tables, and `origin` says where the figure comes from: there is none without.
 *
 * @param {string} file
 */
export async function readFacts(file) {
  const source = await readToml(file);
  /** @type {Facts} */
  const facts = {};
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

/**
 * Returns where a figure comes from, as in "Schätzung der Redaktion, Stand November 2026, mit Mehrwertsteuer".
 *
 * @param {Origin} origin
 * @param {string} unit
 */
function originText({ text: from, month, prices }, unit) {
  const asOf = month && `Stand ${months.format(new Date(`${month}-01`))}`;
  return [from, asOf, unit.startsWith("EUR") ? prices : null].filter(Boolean).join(", ");
}

/**
 * Checks what an order costs at least, which must be known wherever a price names it.
 *
 * @param {readonly Entry[]} entries
 * @param {Facts} facts
 * @param {Awaited<ReturnType<typeof readToml>>} source
 */
function checkMinimums(entries, facts, source) {
  for (const [index, { minimum, unit }] of entries.entries()) {
    if (minimum === null) continue;
    const complain = source.complainAt("fact", index);
    if (!facts[minimum]?.low) complain("minimum", `there is no fact ${minimum} with a low end`);
    if (facts[minimum]?.unit.word !== UNITS[unit].word) complain("minimum", `${minimum} has another unit`);
  }
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
