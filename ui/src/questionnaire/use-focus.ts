import { type RefObject, useEffect, useRef } from "react";
import type { Step } from "./steps.ts";
import type { ShownError } from "./use-validation-error.ts";

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
