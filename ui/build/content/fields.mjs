import { fail, lineOf } from "../fail.mjs";

/**
 * Checks the fields of one table or front matter. `fields` maps each allowed key to a check from below;
 * a missing, wrong or unknown key ends the build with the file and the line.
 */
export function checkFields(file, source, data, fields) {
  return checkFieldsAt(file, (key) => lineOf(source, key, data[key]), data, fields);
}

/** The same for a source that has more than one table with these keys: `locate` answers the line of a key. */
export function checkFieldsAt(file, locate, data, fields) {
  const complain = (key, message) => fail(file, locate(key), `${key}: ${message}`);
  for (const key of Object.keys(data)) {
    if (!(key in fields)) complain(key, `unknown key; known are ${Object.keys(fields).join(", ")}`);
  }
  const checked = {};
  for (const [key, check] of Object.entries(fields)) checked[key] = check(data[key], (text) => complain(key, text));
  return checked;
}

/** A text that must stand there. */
export function text(value, complain) {
  if (typeof value !== "string" || value.trim() === "") complain("must be a text");
  return value.trim();
}

/** A text or null. */
export function optionalText(value, complain) {
  return value === undefined ? null : text(value, complain);
}

/** A list of texts, empty when it is missing. */
export function texts(value, complain) {
  if (value === undefined) return [];
  if (!Array.isArray(value)) complain("must be a list of texts");
  return value.map((item) => text(item, complain));
}

/** The name of one of the drawings, as `drawings/read.mjs` returns them. */
export function drawingName(drawings) {
  return (value, complain) => {
    if (!Object.hasOwn(drawings, text(value, complain))) complain(`there is no drawing ${value}`);
    return value;
  };
}

/** true or false, false when it is missing. */
export function flag(value, complain) {
  if (value !== undefined && typeof value !== "boolean") complain("must be true or false");
  return value ?? false;
}

/** A whole number from `low` to `high`. */
export function wholeNumber(low, high) {
  return (value, complain) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < low || number > high) complain(`must be a number from ${low} to ${high}`);
    return number;
  };
}

/** A number or null. */
export function optionalNumber(value, complain) {
  if (value === undefined) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) complain("must be a number");
  return value;
}

/** One of a few texts. */
export function oneOf(choices) {
  return (value, complain) => {
    if (!choices.includes(value)) complain(`must be one of ${choices.join(", ")}`);
    return value;
  };
}

/** A calendar date as YYYY-MM-DD. */
export function date(value, complain) {
  const isDate = typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && isCalendarDay(value);
  if (!isDate) complain("must be a date such as 2025-04-01");
  return value;
}

function isCalendarDay(value) {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A date or null. */
export function optionalDate(value, complain) {
  return value === undefined || value === null ? null : date(value, complain);
}
