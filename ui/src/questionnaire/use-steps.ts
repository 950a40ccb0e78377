import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { countStep } from "../analytics/counts.ts";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/lifecycle.ts";
import { CONTACT_STEP, readStep, type Step, stepAfter, stepBefore } from "./steps.ts";

/** How long a step fades out before the next one. */
const FADE_MS = 300;

/** A browser that has not gone back by then will not. */
const STUCK_MS = 1_000;

/** What a step's history entry knows. `inline/steps.js` writes the same. */
interface StepEntry {
  /** The number of steps before it in the history. */
  readonly depth?: number;
  /** When it was made, which tells it from other entries. */
  readonly at?: number;
  /** The step before it in the history, if it was reached from one. */
  readonly previous?: Step;
  /** It was reached by a link of the summary, and leads back there. */
  readonly fromSummary?: boolean;
  /** What its link chooses was taken over. */
  readonly isLinkRead?: boolean;
}

/** Says whether the open entry's link was taken over. */
export function isLinkRead(): boolean {
  return openEntry().isLinkRead === true;
}

/** Marks the open entry: reloading it must not undo what the visitor has changed since. */
export function markLinkRead(): void {
  window.history.replaceState({ ...openEntry(), isLinkRead: true } satisfies StepEntry, "");
}

/**
 * Leads from step to step. Steps are entries of the browser's history, so that its back button does so, too.
 */
export function useSteps() {
  const [{ search, entry }, setPlace] = useState(readPlace);
  const [isVisible, setVisible] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const step = readStep(new URLSearchParams(search));
  const { previous, fromSummary = false, at = 0 } = entry;
  useTop(search);
  useEffect(() => whenShown(() => guarded(() => countStep(step))), [step]);

  /** Follows the address, and ends the fade, even if the browser's back button came first. */
  const arrive = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setPlace(readPlace());
    setVisible(true);
  }, []);

  useEffect(() => {
    window.addEventListener("popstate", arrive);
    return () => window.removeEventListener("popstate", arrive);
  }, [arrive]);

  const push = (target: Step, next: StepEntry) => {
    const { depth = 0 } = openEntry();
    window.history.replaceState({ ...openEntry(), depth }, "");
    window.history.pushState({ ...next, depth: depth + 1, at: Date.now() }, "", `?step=${target}`);
    arrive();
  };

  /** Fades out, then moves. Meanwhile, further calls do nothing. If the move leads nowhere, `otherwise` is tried. */
  const leave = (move: () => void, otherwise = () => {}) => {
    if (timer.current !== undefined) return;
    setVisible(false);
    timer.current = setTimeout(() => {
      timer.current = setTimeout(() => {
        otherwise();
        arrive();
      }, STUCK_MS);
      move();
    }, FADE_MS);
  };

  const goTo = (target: Step) => leave(() => push(target, { previous: step }));

  const goBack = () => {
    const target = stepBefore(step);
    const replace = () => {
      const { depth = 0 } = openEntry();
      window.history.replaceState({ fromSummary, depth, at: Date.now() }, "", `?step=${target}`);
      arrive();
    };
    if (previous === target) leave(() => window.history.back(), replace);
    else leave(replace);
  };

  return {
    step,
    isVisible,
    /** Tells the history entry from others. */
    entry: at,
    goTo,
    goOn: () => goTo(fromSummary ? CONTACT_STEP : stepAfter(step)),
    goBack,
    /** Leaves the summary, at once, for a step that leads back there. */
    openFromSummary: (target: Step) => push(target, { fromSummary: true }),
  };
}

function openEntry(): StepEntry {
  return (window.history.state ?? {}) as StepEntry;
}

function readPlace(): { readonly search: string; readonly entry: StepEntry } {
  return { search: window.location.search, entry: openEntry() };
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
    const restore = (mode: ScrollRestoration) => () => {
      window.history.scrollRestoration = mode;
    };
    restore("manual")();
    window.addEventListener("pageshow", restore("manual"));
    window.addEventListener("pagehide", restore("auto"));
  }, []);
}
