import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { afterShown, whenShown } from "../browser/lifecycle.ts";
import { pushStep, replaceStep, useStepEntry } from "./step-history.ts";
import { CONTACT_STEP, readStep, type Step, stepAfter, stepBefore } from "./steps.ts";
import { guarded } from "../browser/guarded.ts";
import { useSettings } from "../template/settings.tsx";
import { createStepCounter } from "../analytics/counts.ts";

/** How long a step fades out before the next one, and when the first one fades in. */
const FADE_MS = 300;
const FADE_IN_DELAY_MS = 100;

/** A browser that has not gone back by then does not do it any more. */
const STUCK_MS = 1_000;

export interface Steps {
  readonly step: Step;
  readonly isVisible: boolean;
  /** Tells the history entry from others. */
  readonly entry: number;
  readonly goTo: (step: Step) => void;
  readonly goOn: () => void;
  readonly goBack: () => void;
}

/**
 * Leads from step to step. Steps are entries of the browser's history, so that its back button does so, too. The first one
 * fades in, unless it is shown already: `isShown`.
 */
export function useSteps(isShown: boolean): Steps {
  const { search, entry } = useStepEntry();
  const step = readStep(new URLSearchParams(search));
  const { previous, fromSummary = false } = entry;
  const { isVisible, leave } = useFade(search, isShown);
  useTop(search);

  const goTo = (target: Step) => leave(() => pushStep(target, { previous: step }));

  const goBack = () => {
    const target = stepBefore(step);
    const replace = () => replaceStep(target, { fromSummary });
    if (previous === target) leave(() => window.history.back(), replace);
    else leave(replace);
  };

  return {
    step,
    isVisible,
    entry: entry.at ?? 0,
    goTo,
    goOn: () => goTo(fromSummary ? CONTACT_STEP : stepAfter(step)),
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

/** Scrolls to the top when the query changes: each step is a page of its own to the visitor. */
function useTop(search: string): void {
  const shown = useRef(search);

  useLayoutEffect(() => {
    if (shown.current !== search) window.scrollTo({ top: 0, behavior: "instant" });
    shown.current = search;
  }, [search]);

  // Restoring the scroll position is wrong between steps and right on reload.
  useEffect(() => {
    const { history } = window;
    const take = () => {
      history.scrollRestoration = "manual";
    };
    const release = () => {
      history.scrollRestoration = "auto";
    };
    take();
    window.addEventListener("pageshow", take);
    window.addEventListener("pagehide", release);
    return () => {
      window.removeEventListener("pageshow", take);
      window.removeEventListener("pagehide", release);
    };
  }, []);
}

/** Counts the steps that this view of the questionnaire shows. */
export function useStepCount(step: number): void {
  const settings = useSettings();
  const [counter] = useState(() => createStepCounter(settings, { fetch: window.fetch.bind(window), navigator }));
  useEffect(() => whenShown(() => guarded(() => counter.reach(step))), [counter, step]);
}
