import { readSettings } from "../template/site-settings.ts";
import { whenShown } from "../browser/lifecycle.ts";

/** What browsers tell the sites of visitors who object to being counted. */
type Objecting = Navigator & { readonly globalPrivacyControl?: boolean; readonly doNotTrack?: string | null };

/** What browsers tell about how a page was loaded. The last two are known to those that load pages ahead. */
type Navigation = PerformanceNavigationTiming & {
  readonly activationStart?: number;
  readonly deliveryType?: string;
};

const reached = new Set<number>();

/** Counts a step of the questionnaire once in a view, by its number alone. */
export function countStep(step: number): void {
  if (reached.has(step)) return;
  reached.add(step);
  count("/rest/v1/steps", { step });
}

/** Counts a page that was loaded ahead of its link. The server has counted all others. */
export function countIfLoadedAhead(): void {
  whenShown(() => {
    const [navigation] = performance.getEntriesByType("navigation") as Navigation[];
    if (navigation && isLoadedAhead(navigation)) count("/rest/v1/pages", { path: window.location.pathname });
  });
}

function isLoadedAhead({ activationStart = 0, deliveryType, transferSize, type }: Navigation): boolean {
  if (activationStart > 0 || deliveryType === "navigational-prefetch") return true;
  // Nothing was transferred, so it came from the browser's cache; but not for a way back.
  return transferSize === 0 && type === "navigate";
}

/** Tells the server one thing to count, and nothing about the visitor; not of one who objects, and not in a demo. */
function count(url: string, what: object): void {
  const { globalPrivacyControl, doNotTrack } = window.navigator as Objecting;
  if (readSettings().demo || globalPrivacyControl === true || doNotTrack === "1") return;
  const request = fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
    credentials: "omit",
    redirect: "error",
    // It may be the last thing that a visitor sees of the page.
    keepalive: true,
    priority: "low",
  });
  // Read the body, because an unread one keeps the connection busy. A lost count is no reason to bother the visitor.
  request.then((response) => response.text()).catch(() => {});
}
