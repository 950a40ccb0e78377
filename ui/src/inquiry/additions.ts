import type { Answers } from "./answers.ts";
import { findProperty, OTHER } from "./options.ts";
import { LIMITS } from "./rules.ts";
import { trim } from "./validation.ts";

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
  const isSendable = typeof value === "string" && [...value].length <= LIMITS.addition && !/\p{Cs}/u.test(value);
  return isSendable ? value : undefined;
}

/** Cuts what was typed before there was a limit. */
function freeText(typed: string): string {
  const text = trim(typed.replace(UNPRINTABLE, " "));
  // By code units, as the field counts; a pair that this splits is removed.
  return trim(text.slice(0, LIMITS.free_text).replace(UNPRINTABLE, ""));
}
