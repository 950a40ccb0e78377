import { type Answers, NO_ANSWERS } from "../inquiry/answers.ts";
import type { Attempt } from "../inquiry/attempt.ts";
import { findProperty, type PropertyType } from "../inquiry/options.ts";
import { soundReport } from "../inquiry/report.ts";
import { type ListName, OPTIONS_OF, type TextName } from "./change.ts";

/** What this tab keeps until the inquiry is sent. */
export interface Draft {
  readonly answers: Answers;
  /** The last attempt to send these answers, so that another one can be recognised as the same. */
  readonly attempt: Attempt | null;
}

export const DRAFT_KEY = "questionnaire";

/** The draft of this tab; an empty one where nothing, or nothing readable, is stored. Never throws. */
export function loadDraft(storage: Storage | null): Draft {
  try {
    return parseDraft(JSON.parse(storage?.getItem(DRAFT_KEY) ?? "null"));
  } catch {
    return EMPTY;
  }
}

/** Keeps the draft if the browser lets it be kept: without storage the form works, only reloading empties it. */
export function saveDraft(storage: Storage | null, draft: Draft): void {
  try {
    storage?.setItem(DRAFT_KEY, JSON.stringify(draft));
  } catch {
    // Full or switched off.
  }
}

export function clearDraft(storage: Storage | null): void {
  try {
    storage?.removeItem(DRAFT_KEY);
  } catch {
    // Switched off, so there is nothing to remove.
  }
}

const EMPTY: Draft = { answers: NO_ANSWERS, attempt: null };

const TYPES: readonly PropertyType[] = ["residential", "commercial", "industrial"];

/** Takes over what is sound: an earlier version's draft, or an edited one, must not break the form. */
function parseDraft(value: unknown): Draft {
  const draft = fieldsOf(value);
  const answers = fieldsOf(draft.answers);
  const text = (name: TextName) => textOf(answers[name]);
  const list = (name: ListName) => {
    const chosen: unknown = answers[name];
    const known = OPTIONS_OF[name].map(({ id }) => id);
    return Array.isArray(chosen) ? known.filter((id) => chosen.includes(id)) : [];
  };
  const propertyType = TYPES.find((type) => type === answers.propertyType) ?? "";
  return {
    answers: {
      propertyType,
      propertySubType: findProperty(propertyType, textOf(answers.propertySubType))?.subtype ?? "",
      postalCode: text("postalCode"),
      problems: list("problems"),
      problemOther: text("problemOther"),
      locations: list("locations"),
      locationOther: text("locationOther"),
      firstName: text("firstName"),
      lastName: text("lastName"),
      email: text("email"),
      phone: text("phone"),
    },
    attempt: parseAttempt(fieldsOf(draft.attempt)),
  };
}

function parseAttempt({ key, body, createdAt, report }: Record<string, unknown>): Attempt | null {
  const isComplete = typeof key === "string" && typeof body === "string" && typeof createdAt === "string";
  return isComplete ? { key, body, createdAt, ...soundReport(report) } : null;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
