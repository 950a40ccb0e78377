import { readSettings } from "../template/site-settings.ts";
import { whenShown } from "../browser/lifecycle.ts";

/** Signals of visitors who object to being counted. */
type Objecting = Navigator & { readonly globalPrivacyControl?: boolean; readonly doNotTrack?: string | null };

/** How a page was loaded. Only browsers that load pages ahead have the last two. */
type Navigation = PerformanceNavigationTiming & {
  readonly activationStart?: number;
  readonly deliveryType?: string;
};

const reached = new Set<number>();

/** Counts a step of the questionnaire once per view, by its number alone. */
export function countStep(step: number): void {
  if (reached.has(step)) return;
  reached.add(step);
  count("/rest/v1/steps", { step });
}

/** Counts a page that the browser loaded ahead. The server has counted all others. */
export function countIfLoadedAhead(): void {
  whenShown(() => {
    const [navigation] = performance.getEntriesByType("navigation") as Navigation[];
    if (navigation && isLoadedAhead(navigation)) count("/rest/v1/pages", { path: window.location.pathname });
  });
}

function isLoadedAhead({ activationStart = 0, deliveryType, transferSize, type }: Navigation): boolean {
  if (activationStart > 0 || deliveryType === "navigational-prefetch") return true;
  // Nothing was transferred, so the page came from the browser's cache; but going back does not count.
  return transferSize === 0 && type === "navigate";
}

/** Sends the server one thing to count, and nothing about the visitor. Skips visitors who object, and demos. */
function count(url: string, what: object): void {
  const { globalPrivacyControl, doNotTrack } = window.navigator as Objecting;
  if (readSettings().demo || globalPrivacyControl === true || doNotTrack === "1") return;
  const request = fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
    credentials: "omit",
    redirect: "error",
    // The visitor may leave the page right after this.
    keepalive: true,
    priority: "low",
  });
  // Read the body, because an unread one keeps the connection busy. A lost count is no reason to bother the visitor.
  request.then((response) => response.text()).catch(() => {});
}
