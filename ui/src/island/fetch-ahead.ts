import { whenShown } from "../browser/shown.ts";

/** Milliseconds after which a browser that cannot tell when it is idle probably is. */
const IDLE_MS = 2_000;

/**
 * Fetches the island's script when the page has nothing else to do: the next page may be the questionnaire. Not for
 * visitors who save data.
 */
export function fetchIslandAhead(): void {
  const source = document.querySelector<HTMLScriptElement>("script[data-ahead]")?.dataset.ahead;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!source || connection?.saveData) return;
  const fetchIt = () => {
    // `<link rel="prefetch">` would be simpler, but Firefox asks for it in `default-src`, and WebKit does not know it.
    fetch(source, { priority: "low" }).catch(() => {}); // the visitor has left, or is offline
  };
  const waitForIdleness = () => {
    if ("requestIdleCallback" in window) requestIdleCallback(fetchIt);
    else setTimeout(fetchIt, IDLE_MS);
  };
  whenShown(() => {
    if (document.readyState === "complete") waitForIdleness();
    else window.addEventListener("load", waitForIdleness, { once: true });
  });
}
