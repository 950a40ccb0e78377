import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { ServedAnswers } from "./served-answers.ts";

interface Ways {
  readonly goOn: () => void;
  readonly goBack: () => void;
}

/** React asks once more when it has taken the page over. */
const neverChanges = () => () => {};

/**
 * Whether the form is still as it was served. It does when React first renders it, so that every element is found;
 * then only the question that is shown stays, with its focus and what was typed, and what the visitor wanted next is done.
 */
export function useTakeover(served: ServedAnswers | null, ways: Ways): boolean {
  const isServed = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const latest = useRef(ways);
  useLayoutEffect(() => {
    latest.current = ways;
  });

  useLayoutEffect(() => {
    const root = document.querySelector<HTMLElement>("[data-mode=step]");
    if (!root) return;
    root.dataset.mode = "live"; // what `inline/steps.js` did is done here from now on
    root.querySelectorAll(".served-intro, [data-loading]").forEach((element) => element.remove());
  }, []);

  // Until now the group had the focus in place of its heading, which has become one of the first rank.
  useEffect(() => {
    const { activeElement } = document;
    if (isServed || !activeElement?.matches("fieldset.question")) return;
    activeElement.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [isServed]);

  useEffect(() => {
    if (!served?.intent) return undefined;
    // Once the form is mounted: React may start its effects twice, and the fade between two steps is one of them.
    const timer = setTimeout(() => (served.intent === "back" ? latest.current.goBack() : latest.current.goOn()));
    return () => clearTimeout(timer);
  }, [served]);

  return isServed;
}
