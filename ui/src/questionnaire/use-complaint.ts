import { useCallback, useEffect, useRef, useState } from "react";
import { dismissGroup, showToast } from "../toast/store.ts";
import { type Complaint, withoutField } from "./rules.ts";
import type { Step } from "./steps.ts";

/** Toasts about answers replace each other. */
const TOAST_GROUP = "questionnaire";

const TITLE_PREFIX = "Fehler: ";

/** A complaint with a number of its own: raised again, it calls for attention again. */
export interface RaisedComplaint extends Complaint {
  readonly number: number;
}

export interface ComplaintHandle {
  /** What is wrong with the step that is shown, null for nothing. */
  readonly complaint: RaisedComplaint | null;
  readonly raise: (complaint: Complaint) => void;
  /** A field was changed: what was said about it may no longer be true. */
  readonly forget: (name: string) => void;
  readonly clear: () => void;
}

/** What is wrong: told by a toast, by the document's title and, through the answer, at the fields. */
export function useComplaint(step: Step): ComplaintHandle {
  const [raised, setRaised] = useState<RaisedComplaint | null>(null);
  const count = useRef(0);
  const complaint = raised?.step === step ? raised : null;
  useTitlePrefix(complaint !== null);

  const raise = useCallback((next: Complaint) => {
    count.current += 1;
    setRaised({ ...next, number: count.current });
    showToast({ tone: "error", title: next.title, description: next.description, group: TOAST_GROUP });
  }, []);

  const forget = useCallback((name: string) => setRaised((current) => withoutField(current, name)), []);

  const clear = useCallback(() => {
    setRaised(null);
    dismissGroup(TOAST_GROUP);
  }, []);

  return { complaint, raise, forget, clear };
}

/** A screen reader reads the title first; the prefix says that the step was not left because of an error. */
function useTitlePrefix(isWrong: boolean): void {
  useEffect(() => {
    if (!isWrong) return undefined;
    document.title = TITLE_PREFIX + document.title;
    return () => {
      document.title = document.title.replace(TITLE_PREFIX, "");
    };
  }, [isWrong]);
}
