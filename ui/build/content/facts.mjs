import { amountText, factText } from "./fact-text.mjs";
import { flag, oneOf, optionalNumber, text } from "./fields.mjs";
import { checkTables, checkTopLevel } from "./toml-tables.mjs";
import { readToml } from "./toml.mjs";
import { MONTH, UNITS } from "./units.mjs";

const FIELDS = {
  name: text,
  label: text,
  value: optionalNumber,
  low: optionalNumber,
  high: optionalNumber,
  unit: oneOf(Object.keys(UNITS)),
  rough: flag,
  meaning: text,
};

/** Names stand in articles: lower-case words with hyphens. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Reads the figures that texts and charts show: an object of facts by name. A single value is low and high at once; `text`
 * and `amount` are how sentences and tables show it.
 */
export async function readFacts(file) {
  const { source, data } = await readToml(file);
  checkTopLevel(file, source, data, ["fact"]);
  const facts = {};
  for (const { value: fact, complain } of checkTables(file, source, data, "fact", FIELDS)) {
    const { name, value, low, high, unit, ...rest } = fact;
    if (!NAME.test(name)) complain("name", "must be lower-case letters, digits and hyphens");
    if (name in facts) complain("name", `${name} is there twice`);
    checkAmount(fact, complain);
    const read = { name, ...rest, low: value ?? low, high: value ?? high, unit: { name: unit, ...UNITS[unit] } };
    facts[name] = { ...read, text: factText(read), amount: amountText(read) };
  }
  return facts;
}

function checkAmount({ value, low, high, unit }, complain) {
  if (value !== null && low !== null) complain("low", "give either a value or low and high");
  if (value !== null && high !== null) complain("high", "give either a value or low and high");
  if (value === null && low === null && high === null) complain("value", "give a value, or low or high or both");
  if (unit === MONTH) return checkMonths({ low, high }, complain);
  if (low !== null && high !== null && low > high) complain("low", `${low} is more than high, ${high}`);
}

/** A season has a first and a last month; it may run across the turn of the year. */
function checkMonths(months, complain) {
  for (const [key, month] of Object.entries(months)) {
    if (!Number.isInteger(month) || month < 1 || month > 12) complain(key, "must be a month from 1 to 12");
  }
}
