import { type RefObject, useEffect, useRef } from "react";
import type { Step } from "./steps.ts";
import type { RaisedComplaint } from "./use-complaint.ts";

const WRONG_FIELD = "input[aria-invalid=true], [aria-invalid=true] input";

/**
 * Moves the focus to where the visitor goes on: to the first wrong field after a complaint, to the heading after a
 * change of step (the page scrolls to its top by itself). Not when the questionnaire appears: then the page itself is what is new.
 */
export function useFocus(form: RefObject<HTMLElement | null>, step: Step, complaint: RaisedComplaint | null): void {
  const seen = useRef({ step, complaint });

  useEffect(() => {
    const before = seen.current;
    seen.current = { step, complaint };
    const isRaised = complaint !== null && complaint.number !== before.complaint?.number;
    if (isRaised) {
      form.current?.querySelector<HTMLElement>(WRONG_FIELD)?.focus();
    } else if (step !== before.step) {
      form.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    }
  }, [form, step, complaint]);
}
