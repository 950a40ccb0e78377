import { useEffect, useState } from "react";
import { whenShown } from "../browser/lifecycle.ts";
import type { Answers } from "../inquiry/answers.ts";
import { isSubmissionOf, type Submission } from "../inquiry/submission.ts";
import { storedResult } from "./delivery/queue.ts";
import { clearDraft, type Draft, loadDraft, saveDraft } from "./draft.ts";
import { type InputState, withInput } from "./input-answers.ts";
import { isLinkRead, markLinkRead } from "./use-steps.ts";

export interface DraftHandle extends Draft {
  /** Applies the state of an input that has changed. */
  readonly update: (input: InputState) => void;
  readonly setSubmission: (submission: Submission, answers: Answers) => void;
}

/** Holds this tab's answers, together with those that its link preselected, and stores every change. */
export function useDraft(linked: readonly InputState[]): DraftHandle {
  const [loaded] = useState(loadUnsent);
  const [preselected] = useState(() => (isLinkRead() ? [] : linked));
  const [submission, setSubmission] = useState(loaded.submission);
  const [answers, setAnswers] = useState(() => preselected.reduce(withInput, loaded.answers));

  useEffect(() => (preselected.length > 0 ? whenShown(markLinkRead) : undefined), [preselected]);

  useEffect(() => {
    if (answers !== loaded.answers) saveDraft({ answers, submission });
  }, [loaded, answers, submission]);

  return {
    answers,
    update: ({ name, value, checked }) => setAnswers((current) => withInput(current, { name, value, checked })),
    submission,
    setSubmission: (next, sent) => {
      setSubmission(next);
      // Immediately, because a page that is reloaded now must know the key.
      saveDraft({ answers: sent, submission: next });
    },
  };
}

/** Loads the draft, or an empty one if the queue has delivered it in the meantime. */
function loadUnsent(): Draft {
  const draft = loadDraft();
  const { submission, answers } = draft;
  const isSent = submission !== null && isSubmissionOf(submission, answers) && storedResult(submission.key) !== null;
  if (!isSent) return draft;
  clearDraft();
  return loadDraft();
}
