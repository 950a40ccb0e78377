import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "../routing/router.ts";
import { readStep } from "./query.ts";
import { CONTACT_STEP, type Step, stepAfter, stepBefore } from "./steps.ts";

/** Spec section 4: how long a step fades out before the next one, and when the first one fades in. */
export const FADE_MS = 300;
export const FADE_IN_DELAY_MS = 100;

/** What a step's history entry knows of how it was reached. */
interface StepState {
  /** The step before it in the history, where it was reached from one. */
  readonly previous?: Step;
  /** It was reached by a link of the summary, and leads back there. */
  readonly fromSummary?: boolean;
}

export interface Steps {
  readonly step: Step;
  readonly isVisible: boolean;
  /** Identifies the history entry. */
  readonly entry: string;
  readonly goTo: (step: Step) => void;
  readonly goOn: () => void;
  readonly goBack: () => void;
}

/** The steps are entries of the browser's history, so that its back button leads from question to question. */
export function useSteps(): Steps {
  const location = useLocation();
  const navigate = useNavigate();
  const step = readStep(new URLSearchParams(location.search));
  const { previous, fromSummary } = (location.state ?? {}) as StepState;
  const [isVisible, setVisible] = useState(false);
  const fading = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    const appear = setTimeout(() => setVisible(true), FADE_IN_DELAY_MS);
    return () => clearTimeout(appear);
  }, []);

  // The fade ends with the address it led away from, be it by itself or by the browser's back button. The history entry
  // may change alone: it is marked as read when the page appears, and who goes on in that moment still wants to.
  useEffect(
    () => () => {
      if (fading.current === undefined) return;
      clearTimeout(fading.current);
      fading.current = undefined;
      setVisible(true);
    },
    [location.search],
  );

  /** Fades out, then moves. While it fades, further presses do nothing. */
  const leave = useCallback((move: () => void) => {
    if (fading.current !== undefined) return;
    setVisible(false);
    fading.current = setTimeout(move, FADE_MS);
  }, []);

  const open = (target: Step, options: { replace: boolean; state: StepState }) =>
    void navigate({ search: `?step=${target}` }, options);

  const goTo = (target: Step) => leave(() => open(target, { replace: false, state: { previous: step } }));

  const goBack = () => {
    const target = stepBefore(step);
    const isInHistory = previous === target;
    leave(() => {
      if (isInHistory) void navigate(-1);
      else open(target, { replace: true, state: { fromSummary: fromSummary ?? false } });
    });
  };

  return {
    step,
    isVisible,
    entry: location.key,
    goTo,
    goOn: () => goTo(fromSummary === true ? CONTACT_STEP : stepAfter(step)),
    goBack,
  };
}
