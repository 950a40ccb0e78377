import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { afterShown } from "../browser/shown.ts";
import { CONTACT_STEP, readStep, type Step, stepAfter, stepBefore } from "./steps.ts";

/** How long a step fades out before the next one, and when the first one fades in. */
const FADE_MS = 300;
const FADE_IN_DELAY_MS = 100;

/** A browser that has not gone back by then does not do it any more. */
const STUCK_MS = 1_000;

/** What a step's history entry knows of how it was reached. */
interface StepState {
  /** The step before it in the history, if it was reached from one. */
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

/**
 * Leads from step to step. Steps are entries of the browser's history, so that its back button does so, too. The first one
 * fades in, unless it is shown already: `isShown`.
 */
export function useSteps(isShown: boolean): Steps {
  const location = useLocation();
  const navigate = useNavigate();
  const step = readStep(new URLSearchParams(location.search));
  const { previous, fromSummary } = (location.state ?? {}) as StepState;
  const { isVisible, leave } = useFade(location.search, isShown);

  const open = (target: Step, options: { replace: boolean; state: StepState }) =>
    void navigate({ search: `?step=${target}` }, options);

  const goTo = (target: Step) => leave(() => open(target, { replace: false, state: { previous: step } }));

  const goBack = () => {
    const target = stepBefore(step);
    const replace = () => open(target, { replace: true, state: { fromSummary: fromSummary ?? false } });
    if (previous === target) leave(() => void navigate(-1), replace);
    else leave(replace);
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

/** Fades a step out before it is left, and the one at the new address in. */
function useFade(search: string, isShown: boolean) {
  const [isVisible, setVisible] = useState(isShown);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const appear = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setVisible(true);
  }, []);

  useEffect(() => afterShown(FADE_IN_DELAY_MS, () => setVisible(true)), []);

  // The fade ends with the address that it leads away from, even if the browser's back button came first. The rest of
  // the history entry may change alone: it is marked as read when the page appears, and a visitor who goes on in that
  // moment still wants to.
  useEffect(
    () => () => {
      if (timer.current !== undefined) appear();
    },
    [search, appear],
  );

  /** Fades out, then moves. Meanwhile, further calls do nothing. If the move leads nowhere, `otherwise` is tried. */
  const leave = useCallback(
    (move: () => void, otherwise?: () => void) => {
      if (timer.current !== undefined) return;
      setVisible(false);
      timer.current = setTimeout(() => {
        timer.current = setTimeout(() => {
          appear();
          otherwise?.();
        }, STUCK_MS);
        move();
      }, FADE_MS);
    },
    [appear],
  );

  return { isVisible, leave };
}
