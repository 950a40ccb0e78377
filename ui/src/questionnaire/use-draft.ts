import { useCallback, useEffect, useRef, useState } from "react";
import type { Answers } from "../inquiry/answers.ts";
import type { Attempt } from "../inquiry/attempt.ts";
import { browserStorage } from "../browser/storage.ts";
import { type Change, change } from "./change.ts";
import type { Preselection } from "./query.ts";
import { clearDraft, loadDraft, saveDraft } from "./draft.ts";

export interface DraftHandle {
  readonly answers: Answers;
  readonly apply: (action: Change) => void;
  /** The last attempt to send these answers. Setting it keeps it with them. */
  readonly attempt: { get: () => Attempt | null; set: (attempt: Attempt) => void };
  /** Forgets what is stored: the inquiry was sent, or waits in the outbox. */
  readonly clear: () => void;
}

/** The answers of this tab, to which the address may have added some, kept with every change. */
export function useDraft(preselection: Preselection | null): DraftHandle {
  const [storage] = useState(() => browserStorage("sessionStorage"));
  const [loaded] = useState(() => loadDraft(storage));
  const [answers, setAnswers] = useState(() =>
    preselection === null ? loaded.answers : change(loaded.answers, { kind: "preselect", preselection }),
  );
  const attempt = useRef(loaded.attempt);

  useEffect(() => {
    if (answers !== loaded.answers) saveDraft(storage, { answers, attempt: attempt.current });
  }, [storage, loaded, answers]);

  const apply = useCallback((action: Change) => setAnswers((current) => change(current, action)), []);

  return {
    answers,
    apply,
    attempt: {
      get: () => attempt.current,
      set: (next) => {
        attempt.current = next;
        saveDraft(storage, { answers, attempt: next });
      },
    },
    clear: () => clearDraft(storage),
  };
}
