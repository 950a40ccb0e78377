import { whenShown } from "../browser/shown.ts";
import { readSettings } from "../template/site-settings.ts";
import { mayCount, report } from "./report.ts";

const PAGES_URL = "/rest/v1/pages";

/** What browsers tell about how a page was loaded. The last two are known to those that load pages ahead. */
type Navigation = PerformanceNavigationTiming & {
  readonly activationStart?: number;
  readonly deliveryType?: string;
};

/** Counts a page that was loaded ahead of its link. The server has counted all others. */
export function countIfLoadedAhead(): void {
  whenShown(() => {
    const [navigation] = performance.getEntriesByType("navigation") as Navigation[];
    if (!navigation || !isLoadedAhead(navigation)) return;
    const browser = { fetch: window.fetch.bind(window), navigator };
    if (mayCount(readSettings(), browser)) report(PAGES_URL, { path: window.location.pathname }, browser);
  });
}

function isLoadedAhead({ activationStart = 0, deliveryType, transferSize, type }: Navigation): boolean {
  if (activationStart > 0 || deliveryType === "navigational-prefetch") return true;
  // Nothing was transferred, so it came from the browser's cache; but not for a way back.
  return transferSize === 0 && type === "navigate";
}
