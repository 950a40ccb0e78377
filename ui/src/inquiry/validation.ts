/**
 * The rules of the spec's section 5, character by character the same as the server's: both are tested against
 * tests/cases/validation.json, so that a form that passes here is never refused there.
 */

/** Unicode white space and the byte order mark, which JavaScript trims and Unicode does not count. */
const SPACE = String.raw`\p{White_Space}\uFEFF`;

const OUTER_SPACE = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "gu");
const POSTAL_CODE = /^2[012][0-9]{3}$/;
const PHONE_SEPARATORS = new RegExp(`[${SPACE}()-]`, "gu");
const PHONE = /^(?:\+49|0|)[1-9][0-9]{8,12}$/;
const EMAIL = new RegExp(`^[^${SPACE}@]+@[^${SPACE}@]+\\.[^${SPACE}@]+$`, "u");

/** Control characters, and halves of surrogate pairs, which are no text: JSON that holds one is refused by the server. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

const PHONE_LIMIT = 100;
const EMAIL_LIMIT = 254;
const NAME_LIMIT = 100;

/** Without white space at both ends. Unlike String.trim it also removes U+0085, as the server does. */
export function trim(text: string): string {
  return text.replace(OUTER_SPACE, "");
}

/** A postal code of Hamburg and around: 20000 to 22999. */
export function isPostalCode(input: string): boolean {
  return POSTAL_CODE.test(trim(input));
}

/** A German phone number: 9 to 13 digits behind +49, 0 or nothing, with spaces, hyphens and parentheses at will. */
export function isPhone(input: string): boolean {
  return isText(input, PHONE_LIMIT) && PHONE.test(trim(input).replace(PHONE_SEPARATORS, ""));
}

export function isEmail(input: string): boolean {
  return isText(input, EMAIL_LIMIT) && EMAIL.test(trim(input));
}

/** A first or last name: 1 to 100 characters. */
export function isName(input: string): boolean {
  return isText(input, NAME_LIMIT);
}

export function isBlank(input: string): boolean {
  return trim(input) === "";
}

/** Printable text of 1 to `limit` characters (not UTF-16 units), counted without the white space around it. */
function isText(input: string, limit: number): boolean {
  const text = trim(input);
  const { length } = [...text];
  return length >= 1 && length <= limit && !UNPRINTABLE.test(text);
}
