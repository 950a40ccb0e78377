import { LIMITS } from "./rules.ts";

/**
 * The rules of an inquiry. They accept exactly what the server accepts: both are tested with
 * tests/cases/validation.json, so that the server never refuses what the form lets pass.
 */

/** Unicode white space, and the byte order mark, which JavaScript trims although Unicode does not count it. */
const SPACE = String.raw`\p{White_Space}\uFEFF`;

const OUTER_SPACE = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "gu");
const POSTAL_CODE = /^2[012][0-9]{3}$/;
/** The same for the browser's own check, which trims nothing. */
export const POSTAL_CODE_PATTERN = String.raw`\s*${POSTAL_CODE.source.slice(1, -1)}\s*`;
const PHONE_SEPARATORS = new RegExp(`[${SPACE}()-]`, "gu");
const PHONE = /^(?:\+49|0|)[1-9][0-9]{8,12}$/;

/** A name, plain or in quotation marks, and a host that is no IP address. The server, which sends mails there, looks closer. */
const ATOM = String.raw`[\p{Alphabetic}\p{N}!#$%&'*+\-\/=?^_\x60{|}~]+`;
const QUOTED = String.raw`"(?:[^${SPACE}"@\\]|\\[!-?A-~])+"`;
const LETTER = String.raw`[^${SPACE}!-/:-@\[-\x60{-~\uFFFD]`;
const REST = `${LETTER}*(?:-+${LETTER}+)*`;
const EMAIL = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})@(?:${LETTER}${REST}\\.)+(?![0-9])${LETTER}${REST}$`,
  "u",
);

/**
 * Control characters, those that turn the direction of the text around them, and halves of surrogate pairs: the server refuses
 * JSON that contains one of the last.
 */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u;

/** Removes white space at both ends. Unlike String.trim it also removes U+0085, as the server does. */
export function trim(text: string): string {
  return text.replace(OUTER_SPACE, "");
}

/** Accepts the postal codes of Hamburg and its surroundings: 20000 to 22999. */
export function isPostalCode(input: string): boolean {
  return POSTAL_CODE.test(trim(input));
}

/** Accepts German phone numbers: 9 to 13 digits after +49, 0 or nothing, with any spaces, hyphens and parentheses. */
export function isPhone(input: string): boolean {
  return isText(input, LIMITS.phone) && PHONE.test(trim(input).replace(PHONE_SEPARATORS, ""));
}

export function isEmail(input: string): boolean {
  const address = trim(input).normalize("NFC");
  const at = address.lastIndexOf("@");
  // Full-width and similar letters of a host become plain ones, and may be none.
  const plain = address.slice(0, at) + address.slice(at).normalize("NFKC");
  return isText(input, LIMITS.email) && EMAIL.test(address) && EMAIL.test(plain) && hasShortParts(address);
}

/** No name of more than 64 bytes (RFC 5321) and no label of more than 63 (RFC 1035). What the server composes first may be longer. */
function hasShortParts(address: string): boolean {
  const at = address.lastIndexOf("@");
  const name = address.slice(0, at).normalize("NFC");
  const isShort = name.startsWith('"') || new TextEncoder().encode(name).length <= 64;
  return isShort && !/[!-~]{64}/.test(address.slice(at + 1).replaceAll(".", " "));
}

/** Accepts first and last names: 1 to 100 characters. */
export function isName(input: string): boolean {
  return isText(input, LIMITS.name);
}

export function isBlank(input: string): boolean {
  return trim(input) === "";
}

/** Accepts printable text of 1 to `limit` characters (not UTF-16 units), not counting the white space around it. */
function isText(input: string, limit: number): boolean {
  const text = trim(input);
  const { length } = [...text];
  return length >= 1 && length <= limit && !UNPRINTABLE.test(text);
}
