import { useEffect } from "react";
import { useNavigationType } from "react-router";

/**
 * Focuses the heading of a screen that takes the place of another one in its document: a screen reader goes on from there.
 * A browser does so by itself when it loads a page, which the router takes for a step in the history.
 */
export function useArrival(): void {
  const isLoaded = useNavigationType() === "POP";
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>("main h1");
    if (isLoaded || !heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    // Once: the thank-you page has only one address.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}
