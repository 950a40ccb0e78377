import { readItem, removeItem, writeItem } from "../browser/storage.ts";
import { type Answers, NO_ANSWERS } from "../inquiry/answers.ts";
import { findProperty, PROPERTY_TYPES } from "../inquiry/options.ts";
import { readSubmission, type Submission } from "../inquiry/submission.ts";
import { LIST_FIELDS, LIST_NAMES, TEXT_NAMES } from "./fields.ts";

/** What this tab keeps until the inquiry is sent. */
export interface Draft {
  readonly answers: Answers;
  /** The last submission, which is repeated if the answers are still the same, and withdrawn if they are not. */
  readonly submission: Submission | null;
}

export const DRAFT_KEY = "questionnaire";

/** Returns the draft of this tab; an empty one if nothing, or nothing readable, is stored. */
export function loadDraft(): Draft {
  try {
    return parseDraft(JSON.parse(readItem("sessionStorage", DRAFT_KEY) ?? "null"));
  } catch {
    return parseDraft(null);
  }
}

/** Stores the draft if the browser allows it. Without storage the form works, but reloading empties it. */
export function saveDraft(draft: Draft): void {
  writeItem("sessionStorage", DRAFT_KEY, JSON.stringify(draft));
}

export function clearDraft(): void {
  removeItem("sessionStorage", DRAFT_KEY);
}

/** Takes over what is well-formed: a draft of another version, or an edited one, must not break the form. */
function parseDraft(value: unknown): Draft {
  const draft = fieldsOf(value);
  const answers = fieldsOf(draft.answers);
  const texts = TEXT_NAMES.map((name) => [name, textOf(answers[name])]);
  const lists = LIST_NAMES.map((name) => {
    const chosen: unknown = answers[name];
    const known = LIST_FIELDS[name].options.map(({ id }) => id);
    return [name, Array.isArray(chosen) ? known.filter((id) => chosen.includes(id)) : []];
  });
  const propertyType = PROPERTY_TYPES.find((type) => type === answers.propertyType) ?? "";
  const propertySubType = findProperty(propertyType, textOf(answers.propertySubType))?.subtype ?? "";
  return {
    answers: { ...NO_ANSWERS, propertyType, propertySubType, ...Object.fromEntries([...texts, ...lists]) },
    submission: readSubmission(draft.submission),
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
