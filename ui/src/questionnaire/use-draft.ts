import { useCallback, useEffect, useState } from "react";
import { browserStorage } from "../browser/storage.ts";
import type { Answers } from "../inquiry/answers.ts";
import { isSubmissionOf, type Submission } from "../inquiry/submission.ts";
import { deliveryStatus } from "../inquiry-queue/browser-queue.ts";
import { type AnswersAction, reduceAnswers } from "./answers-reducer.ts";
import { clearDraft, hasDraft, loadDraft, saveDraft } from "./draft.ts";
import type { ServedAnswers } from "./served-answers.ts";
import { whenShown } from "../browser/lifecycle.ts";
import { markLinkRead, stepEntry } from "./step-history.ts";

export interface DraftHandle {
  readonly answers: Answers;
  readonly dispatch: (action: AnswersAction) => void;
  /** The last submission of these answers, or of what they were before. */
  readonly submission: Submission | null;
  readonly setSubmission: (submission: Submission, answers: Answers) => void;
  /** Forgets what is stored: the inquiry was sent, or waits in the queue. */
  readonly clear: () => void;
  /** Says whether the answers would survive leaving the page. */
  readonly isStored: () => boolean;
}

/**
 * Holds the answers of this tab, with those that a link has chosen and those that were typed before React took the form
 * over, and stores every change.
 */
export function useDraft(served: ServedAnswers | null): DraftHandle {
  const [isLinkRead] = useState(() => stepEntry().isLinkRead === true);
  const [storage] = useState(() => browserStorage("sessionStorage"));
  const [loaded] = useState(() => loadUnsent(storage));
  const [submission, setSubmission] = useState(loaded.submission);
  const [answers, setAnswers] = useState(() => {
    if (served === null) return loaded.answers;
    const chosen: readonly AnswersAction[] = isLinkRead
      ? []
      : [{ kind: "preselect", preselection: served.preselection }];
    return [...chosen, ...served.typed].reduce(reduceAnswers, loaded.answers);
  });

  const hasLinkChosen =
    !isLinkRead && (served?.preselection.property ?? served?.preselection.location ?? null) !== null;
  useEffect(() => (hasLinkChosen ? whenShown(markLinkRead) : undefined), [hasLinkChosen]);

  useEffect(() => {
    if (answers !== loaded.answers) saveDraft(storage, { answers, submission });
  }, [storage, loaded, answers, submission]);

  return {
    answers,
    dispatch: useCallback((action) => setAnswers((current) => reduceAnswers(current, action)), []),
    submission,
    setSubmission: (next, sent) => {
      setSubmission(next);
      // At once: a page that is reloaded in this moment must know the key.
      saveDraft(storage, { answers: sent, submission: next });
    },
    clear: () => clearDraft(storage),
    isStored: () => hasDraft(storage),
  };
}

/** Loads the draft, or an empty one if the queue has delivered it since, unnoticed here. */
function loadUnsent(storage: Storage | null) {
  const draft = loadDraft(storage);
  const { submission, answers } = draft;
  if (submission === null || !isSubmissionOf(submission, answers)) return draft;
  if (deliveryStatus(submission.key).kind !== "stored") return draft;
  clearDraft(storage);
  return loadDraft(storage);
}
