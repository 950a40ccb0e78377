import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { TypedAnswers } from "./plain/adopt.ts";
import type { Step } from "./steps.ts";

interface Ways {
  readonly step: Step;
  readonly goTo: (step: Step) => void;
  /** As if the visitor had used the buttons. */
  readonly goOn: () => void;
  readonly goBack: () => void;
}

/** Goes on where the visitor was in the plain form: the same field has the focus, and what was wanted next is done. */
export function useTakeover(form: RefObject<HTMLElement | null>, typed: TypedAnswers | null, ways: Ways): void {
  const latest = useRef(ways);
  useLayoutEffect(() => {
    latest.current = ways;
  });
  // Once: React may start its effects twice, and between the two a key may have moved the focus.
  const hasFocused = useRef(false);
  useLayoutEffect(() => {
    if (!typed?.focus || hasFocused.current) return;
    hasFocused.current = true;
    focusOn(form.current, typed.focus);
  }, [form, typed]);

  useEffect(() => {
    if (typed === null) return undefined;
    // Once the form stands: React may start its effects twice, and the fade between two steps is one of them.
    const timer = setTimeout(() => {
      const { step, goTo, goOn, goBack } = latest.current;
      if (typed.intent === "on") goOn();
      else if (typed.intent === "back") goBack();
      // The whole plain form was shown, and the visitor is at a later question of it.
      else if (typed.step !== null && typed.step !== step) goTo(typed.step);
    });
    return () => clearTimeout(timer);
  }, [typed]);
}

function focusOn(form: HTMLElement | null, { selector, caret }: NonNullable<TypedAnswers["focus"]>): void {
  const input = form?.querySelector<HTMLInputElement>(selector);
  input?.focus({ preventScroll: true });
  if (input && caret) input.setSelectionRange(...caret);
}
