import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { dismissGroup, showToast } from "../enhancements/toast/store.ts";
import { type ValidationError, withoutField } from "./step-validation.ts";
import type { Step } from "./steps.ts";

/** Toasts about answers replace each other. */
const TOAST_GROUP = "questionnaire";

const TITLE_PREFIX = "Fehler: ";

/** An error with a number of its own: shown again, it calls for attention again. */
export interface ShownError extends ValidationError {
  readonly number: number;
}

export interface ValidationErrorHandle {
  /** What is wrong with the step that is shown; null for nothing. */
  readonly error: ShownError | null;
  readonly show: (error: ValidationError) => void;
  /** A field was changed: what was said about it may no longer be true. */
  readonly forget: (name: string) => void;
  readonly clear: () => void;
}

/** Shows what is wrong in a toast, in the document's title and, through the returned error, at the fields. */
export function useValidationError(step: Step): ValidationErrorHandle {
  const [shown, setShown] = useState<ShownError | null>(null);
  const count = useRef(0);
  const error = shown?.step === step ? shown : null;
  useTitlePrefix(error !== null);

  const show = useCallback((next: ValidationError) => {
    count.current += 1;
    setShown({ ...next, number: count.current });
    showToast({ tone: "error", title: next.title, description: next.description, group: TOAST_GROUP });
  }, []);

  const forget = useCallback((name: string) => setShown((current) => withoutField(current, name)), []);

  const clear = useCallback(() => {
    setShown(null);
    dismissGroup(TOAST_GROUP);
  }, []);

  return { error, show, forget, clear };
}

/** A screen reader reads the title first; the prefix says that an error kept the step from changing. */
function useTitlePrefix(isInvalid: boolean): void {
  useEffect(() => {
    if (!isInvalid) return undefined;
    document.title = TITLE_PREFIX + document.title;
    return () => {
      document.title = document.title.replace(TITLE_PREFIX, "");
    };
  }, [isInvalid]);
}

const INVALID_FIELD = "input[aria-invalid=true], [aria-invalid=true] input";

/**
 * Moves the focus to where the visitor continues: to the first invalid field when an error is shown, to the heading when
 * the step changes (the page scrolls to its top by itself). Not when the questionnaire appears: then the page itself is
 * what is new.
 */
export function useFocus(form: RefObject<HTMLElement | null>, step: Step, error: ShownError | null): void {
  const seen = useRef({ step, error });

  useEffect(() => {
    const before = seen.current;
    seen.current = { step, error };
    if (error !== null && error.number !== before.error?.number) {
      form.current?.querySelector<HTMLElement>(INVALID_FIELD)?.focus();
    } else if (step !== before.step) {
      form.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    }
  }, [form, step, error]);
}
