import { whenShown } from "../browser/shown.ts";
import { readSettings } from "../settings/client.ts";
import { mayCount, report } from "./report.ts";

const PAGES_URL = "/rest/v1/pages";

/** What browsers that load pages ahead tell about how a page was loaded. */
type Navigation = PerformanceEntry & { readonly activationStart?: number; readonly deliveryType?: string };

/** Counts a page that the browser has loaded ahead of its link. The server has counted all others. */
export function countIfLoadedAhead(): void {
  whenShown(() => {
    const [navigation] = performance.getEntriesByType("navigation") as Navigation[];
    const { activationStart = 0, deliveryType } = navigation ?? {};
    if (activationStart === 0 && deliveryType !== "navigational-prefetch") return;
    const browser = { fetch: window.fetch.bind(window), navigator };
    if (mayCount(readSettings(), browser)) report(PAGES_URL, { path: window.location.pathname }, browser);
  });
}
