import type { Answers } from "./answers.ts";
import { findProperty, OTHER } from "./options.ts";
import { trim } from "./validation.ts";

/**
 * The most that can be typed into a free text. Percent-encoded, a character takes up to 9 bytes, and common proxies refuse
 * a line of the head above 8 KiB, which two texts of this length and the line's other words stay below.
 */
export const FREE_TEXT_LIMIT = 400;

/** What the server takes, in characters. */
const ADDITIONS_LIMIT = 2_000;

/** Control characters and halves of surrogate pairs, which cannot be encoded. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * Returns in words what a visitor has answered beyond the record: the kind of building, and what was typed under Sonstiges.
 * A line for each, empty for nothing. The private page of the inquiry shows it as `Angaben ergänzen`.
 */
export function additionsOf(answers: Answers): string {
  const { propertyType, propertySubType, problems, problemOther, locations, locationOther } = answers;
  const building = propertySubType === "" ? "" : (findProperty(propertyType, propertySubType)?.label ?? "");
  const lines: readonly (readonly [string, string])[] = [
    ["Gebäude", building],
    ["Problem", problems.includes(OTHER) ? freeText(problemOther) : ""],
    ["Stelle", locations.includes(OTHER) ? freeText(locationOther) : ""],
  ];
  return lines.flatMap(([name, text]) => (text === "" ? [] : [`${name}: ${text}`])).join("\n");
}

/** Reads stored additions; undefined for what the server would refuse, and the inquiry with it. */
export function readAdditions(value: unknown): string | undefined {
  const isSendable = typeof value === "string" && [...value].length <= ADDITIONS_LIMIT && !/\p{Cs}/u.test(value);
  return isSendable ? value : undefined;
}

/** Cuts what was typed before there was a limit. */
function freeText(typed: string): string {
  const text = trim(typed.replace(UNPRINTABLE, " "));
  // By code units, as the field counts; a pair that this splits is removed.
  return trim(text.slice(0, FREE_TEXT_LIMIT).replace(UNPRINTABLE, ""));
}
