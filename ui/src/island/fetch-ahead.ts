import { whenLoaded } from "../browser/loaded.ts";
import { whenPainted } from "../browser/painted.ts";
import { savesData } from "../browser/saves-data.ts";
import { whenShown } from "../browser/shown.ts";
import { islandSource } from "./source.ts";

/** How long the page may take to be idle, in milliseconds. Chromium without a screen sometimes never says that it is. */
const IDLE_BY_THEN = 2000;

/**
 * Fetches the island's script when the page has nothing else to do: the next page may be the questionnaire. Not for
 * visitors who save data.
 */
export function fetchIslandAhead(): void {
  if (savesData()) return;
  const fetchIt = () => {
    // `<link rel="prefetch">` would be simpler, but Firefox asks for it in `default-src`, and WebKit does not know it.
    fetch(islandSource(), { priority: "low" })
      .then((answer) => answer.arrayBuffer()) // an answer that nobody reads may be broken off
      .catch(() => {}); // the visitor has left, or is offline
  };
  // WebKit cannot tell when it is idle. The page has loaded, and this yields to what it loads later.
  const waitForIdleness = () =>
    "requestIdleCallback" in window ? requestIdleCallback(fetchIt, { timeout: IDLE_BY_THEN }) : setTimeout(fetchIt);
  // On a fast line everything has loaded before the first frame, which comes first all the same.
  whenShown(() => whenPainted(() => whenLoaded(waitForIdleness)));
}
