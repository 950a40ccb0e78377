import { readItem, removeItem, writeItem } from "../browser/storage.ts";
import { type Answers, NO_ANSWERS } from "../inquiry/answers.ts";
import { readSubmission, type Submission } from "../inquiry/submission.ts";

/** What this tab keeps until the inquiry is sent. */
export interface Draft {
  readonly answers: Answers;
  /** The last submission, which is repeated if the answers are unchanged, and withdrawn if they are not. */
  readonly submission: Submission | null;
}

const DRAFT_KEY = "questionnaire";

/** Returns this tab's draft, or an empty one if nothing readable is stored. */
export function loadDraft(): Draft {
  try {
    const { answers, submission } = JSON.parse(readItem("sessionStorage", DRAFT_KEY) ?? "{}") as Partial<Draft>;
    return { answers: { ...NO_ANSWERS, ...answers }, submission: readSubmission(submission) };
  } catch {
    return { answers: NO_ANSWERS, submission: null };
  }
}

/** Stores the draft if the browser allows it. Without storage the form works, but a reload empties it. */
export function saveDraft(draft: Draft): void {
  writeItem("sessionStorage", DRAFT_KEY, JSON.stringify(draft));
}

export function clearDraft(): void {
  removeItem("sessionStorage", DRAFT_KEY);
}
