import { LIMITS } from "./rules.ts";

/**
 * The rules of an inquiry. They accept exactly what the server accepts: both are tested against
 * tests/cases/validation.json, so that the server never rejects what the form lets pass.
 */

/** Unicode white space, and the byte order mark, which JavaScript trims although Unicode does not include it. */
const SPACE = String.raw`\p{White_Space}\uFEFF`;

/** White space, and invisible characters that address books and web pages put around copied text. */
const UNSEEN = String.raw`${SPACE}\u200B-\u200F\u202A-\u202E\u2060-\u206F`;

const OUTER_SPACE = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "gu");
const OUTER_UNSEEN = new RegExp(`^[${UNSEEN}]+|[${UNSEEN}]+$`, "gu");
const POSTAL_CODE = /^2[012][0-9]{3}$/;
/** The same for the browser's own validation, which does not trim. */
export const POSTAL_CODE_PATTERN = String.raw`\s*${POSTAL_CODE.source.slice(1, -1)}\s*`;

/** Characters that are ignored around the digits of a telephone number, and between them. */
const AROUND = `[${SPACE}()\\-]*`;
const BETWEEN = `[${SPACE}()\\-\\/.]*`;
/** See `src/domain/inquiry/contact.rs`. */
const COUNTRY = `(?:\\+${AROUND}|0${BETWEEN}0${BETWEEN})4${BETWEEN}9${BETWEEN}(?:\\(0\\)${BETWEEN})?`;
const PHONE = new RegExp(`^${AROUND}(?:${COUNTRY}|0${BETWEEN})?[1-9](?:${BETWEEN}[0-9]){8,12}${AROUND}$`, "u");

/** A local part, plain or needlessly quoted, and a host that is not an IP address. The server, which sends mails, is stricter. */
const SIGNS = String.raw`!#$%&'*+\-\/=?^_\x60{|}~`;
const ATOM = String.raw`[\p{Alphabetic}\p{N}${SIGNS}]+`;
const QUOTED_ATOM = String.raw`(?:[\p{Alphabetic}\p{N}${SIGNS}]|\\[0-9A-Za-z${SIGNS}])+`;
const QUOTED = String.raw`"${QUOTED_ATOM}(?:\\?\.${QUOTED_ATOM})*"`;
const LETTER = String.raw`[^${SPACE}!-/:-@\[-\x60{-~\uFFFD]`;
const REST = `${LETTER}*(?:-+${LETTER}+)*`;
const EMAIL = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})@(?:${LETTER}${REST}\\.)+(?![0-9])${LETTER}${REST}$`,
  "u",
);

/**
 * Control characters, those that change the direction of the text around them, and halves of surrogate pairs: the server
 * rejects JSON that contains the latter.
 */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u;

/** Removes white space at both ends. Unlike String.trim it also removes U+0085, as the server does. */
export function trim(text: string): string {
  return text.replace(OUTER_SPACE, "");
}

/** Removes invisible characters at both ends, as the server does for telephone numbers and mail addresses. */
export function trimUnseen(text: string): string {
  return text.replace(OUTER_UNSEEN, "");
}

/** Accepts the postal codes of Hamburg and its surroundings: 20000 to 22999. */
export function isPostalCode(input: string): boolean {
  return POSTAL_CODE.test(trim(input));
}

/** Recognises postal codes of other places. */
export function isElsewhere(input: string): boolean {
  return /^[0-9]{5}$/.test(trim(input)) && !isPostalCode(input);
}

/** Accepts German phone numbers: 9 to 13 digits after +49, 0049, 0 or nothing, with separators. */
export function isPhone(input: string): boolean {
  const number = trimUnseen(input);
  return isText(number, LIMITS.phone) && PHONE.test(number);
}

export function isEmail(input: string): boolean {
  const typed = trimUnseen(input);
  const address = typed.normalize("NFC");
  const at = address.lastIndexOf("@");
  // Full-width and similar letters in the host become plain ones, which may be invalid.
  const plain = address.slice(0, at) + address.slice(at).normalize("NFKC");
  return isText(typed, LIMITS.email) && EMAIL.test(address) && EMAIL.test(plain) && hasShortParts(address);
}

/** Requires at most 64 bytes in the local part (RFC 5321), composed as on the server, and at most 63 in a label (RFC 1035). */
function hasShortParts(address: string): boolean {
  const at = address.lastIndexOf("@");
  const name = address.slice(0, at).normalize("NFC").replaceAll(/["\\]/gu, "");
  const isShort = new TextEncoder().encode(name).length <= 64;
  return isShort && !/[!-~]{64}/.test(address.slice(at + 1).replaceAll(".", " "));
}

/** Accepts first and last names: 1 to 100 characters. */
export function isName(input: string): boolean {
  return isText(input, LIMITS.name);
}

export function isBlank(input: string): boolean {
  return trim(input) === "";
}

/** Accepts printable text of 1 to `limit` characters (not UTF-16 units), excluding white space at both ends. */
function isText(input: string, limit: number): boolean {
  const text = trim(input);
  const { length } = [...text];
  return length >= 1 && length <= limit && !UNPRINTABLE.test(text);
}
