import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { countStep } from "../analytics/counts.ts";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/lifecycle.ts";
import { CONTACT_STEP, readStep, type Step, stepAfter, stepBefore } from "./steps.ts";

/** How long a step fades out before the next one appears. */
const FADE_MS = 300;

/** A browser that has not gone back by then never will. */
const STUCK_MS = 1_000;

/** The state of a step's history entry. `inline/steps.js` writes the same. */
interface StepEntry {
  /** The number of steps before it in the history. */
  readonly depth?: number;
  /** When it was created, which identifies it. */
  readonly at?: number;
  /** The previous step in the history, if the visitor came from one. */
  readonly previous?: Step;
  /** The summary linked to it, and moving on returns there. */
  readonly fromSummary?: boolean;
  /** The answers preselected by its link were applied. */
  readonly isLinkRead?: boolean;
}

/** Returns whether the answers preselected by the current entry's link were applied. */
export function isLinkRead(): boolean {
  return openEntry().isLinkRead === true;
}

/** Marks the current entry, because a reload must not undo what the visitor has changed since. */
export function markLinkRead(): void {
  window.history.replaceState({ ...openEntry(), isLinkRead: true } satisfies StepEntry, "");
}

/** Moves between steps, which are entries of the browser's history, so that the back button works as well. */
export function useSteps() {
  const [{ search, entry }, setPlace] = useState(readPlace);
  const [isVisible, setVisible] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const step = readStep(new URLSearchParams(search));
  const { previous, fromSummary = false, at = 0 } = entry;
  useTop(search);
  useEffect(() => whenShown(() => guarded(() => countStep(step))), [step]);

  /** Follows the address and ends the fade, even if the back button interrupted it. */
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

  /** Fades out, then moves. Meanwhile, further calls do nothing. If the move has no effect, `otherwise` is tried. */
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
    arrive,
    /** Identifies the history entry. */
    entry: at,
    goTo,
    goOn: () => goTo(fromSummary ? CONTACT_STEP : stepAfter(step)),
    goBack,
    /** Immediately opens a step from the summary; moving on from it returns there. */
    openFromSummary: (target: Step) => push(target, { fromSummary: true }),
  };
}

function openEntry(): StepEntry {
  return (window.history.state ?? {}) as StepEntry;
}

function readPlace(): { readonly search: string; readonly entry: StepEntry } {
  return { search: window.location.search, entry: openEntry() };
}

/** Scrolls to the top when the query changes, because each step is a separate page to the visitor. */
function useTop(search: string): void {
  const shown = useRef(search);

  useLayoutEffect(() => {
    if (shown.current !== search) window.scrollTo({ top: 0, behavior: "instant" });
    shown.current = search;
  }, [search]);

  // Restoring the scroll position is wrong between steps but right on reload.
  useEffect(() => {
    const restore = (mode: ScrollRestoration) => () => {
      window.history.scrollRestoration = mode;
    };
    restore("manual")();
    window.addEventListener("pageshow", restore("manual"));
    window.addEventListener("pagehide", restore("auto"));
  }, []);
}
