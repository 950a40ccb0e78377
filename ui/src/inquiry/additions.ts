import type { Answers } from "./answers.ts";
import { findProperty, OTHER } from "./options.ts";
import { LIMITS } from "./rules.ts";
import { trim } from "./validation.ts";

/** Characters that change the direction of the text around them, which could then be read as another. */
const TURNING = /\p{Bidi_Control}/gu;

/** Control characters and halves of surrogate pairs, which cannot be encoded. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * Returns, in words, the answers that are not part of the record: the kind of building, and what was typed under
 * Sonstiges. Each has a line; without any the text is empty. The inquiry's private page shows it as `Angaben ergänzen`.
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

/** Validates what is typed under Sonstiges. The limit is in code units, as many as fit in the percent-encoded header line. */
export function isFreeText(typed: string): boolean {
  return oneLine(typed).length <= LIMITS.free_text;
}

/** Truncates text that no form has validated; a surrogate pair that this splits is removed. */
function freeText(typed: string): string {
  return trim(oneLine(typed).slice(0, LIMITS.free_text).replace(UNPRINTABLE, ""));
}

function oneLine(typed: string): string {
  return trim(typed.replace(TURNING, "").replace(UNPRINTABLE, " "));
}
