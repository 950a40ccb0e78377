import { type RefObject, useEffect, useRef, useState } from "react";
import { dismissGroup, showToast } from "../enhancements/toast/store.ts";
import { type ValidationError, withoutField } from "./step-validation.ts";
import type { Step } from "./steps.ts";

/** Toasts about answers replace each other. */
const TOAST_GROUP = "questionnaire";

const TITLE_PREFIX = "Fehler: ";

const INVALID_FIELD = "[aria-invalid=true]:is(input, textarea), [aria-invalid=true] input";

/** Shows errors in a toast, in the document's title and, through the returned error of the step, at the fields. */
export function useValidationError(form: RefObject<HTMLElement | null>, step: Step) {
  const [shown, setShown] = useState<ValidationError | null>(null);
  const [times, setTimes] = useState(0);
  const error = shown?.step === step ? shown : null;
  useTitlePrefix(error !== null);
  useFocus(form, step, times);

  const show = (next: ValidationError) => {
    setTimes(times + 1);
    setShown(next);
    showToast({ tone: "error", title: next.title, description: next.description, group: TOAST_GROUP });
  };

  const clear = () => {
    setShown(null);
    dismissGroup(TOAST_GROUP);
  };

  /** Drops the error of a field that has changed, because it may be valid now. */
  const forget = (name: string) => setShown((current) => withoutField(current, name));

  return { error, show, forget, clear };
}

/** Screen readers read the title first; the prefix says that an error kept the step from changing. */
function useTitlePrefix(isInvalid: boolean): void {
  useEffect(() => {
    if (!isInvalid) return undefined;
    document.title = TITLE_PREFIX + document.title;
    return () => {
      document.title = document.title.replace(TITLE_PREFIX, "");
    };
  }, [isInvalid]);
}

/**
 * Moves the focus to where the visitor continues: to the first invalid field when an error is shown, to the heading when
 * the step changes (the page scrolls to the top by itself). Not when the questionnaire appears, because then the whole
 * page is new. `times` counts how often an error was shown.
 */
function useFocus(form: RefObject<HTMLElement | null>, step: Step, times: number): void {
  const before = useRef(step);

  useEffect(() => {
    const isOther = before.current !== step;
    before.current = step;
    const invalid = form.current?.querySelector<HTMLElement>(INVALID_FIELD);
    if (invalid) invalid.focus();
    else if (isOther) form.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [form, step, times]);
}
