import { readSettings, type Settings } from "../template/site-settings.ts";
import { whenShown } from "../browser/lifecycle.ts";

/** What counting needs of the browser. */
export interface CountingBrowser {
  readonly fetch: typeof fetch;
  readonly navigator: { readonly globalPrivacyControl?: boolean; readonly doNotTrack?: string | null };
}

/** Whether a visitor may be counted: not one who objects, and none in a demo. */
function mayCount(settings: Pick<Settings, "demo"> | null, { navigator }: CountingBrowser): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator;
  return settings !== null && !settings.demo && globalPrivacyControl !== true && doNotTrack !== "1";
}

/** Tells the server one thing to count, and nothing about the visitor. */
export function report(url: string, what: object, browser: CountingBrowser): void {
  // What is not counted is missing from a sum, which is no reason to bother a visitor.
  void post(url, what, browser.fetch).catch(() => {});
}

async function post(url: string, what: object, send: typeof fetch): Promise<void> {
  const response = await send(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
    credentials: "omit",
    redirect: "error",
    // It may be the last thing that a visitor sees of the page.
    keepalive: true,
    priority: "low",
  });
  // An unread body keeps the connection busy.
  await response.text();
}

const STEPS_URL = "/rest/v1/steps";

/** Tells the server which steps of the questionnaire were reached: a number each, nothing about the visitor. */
interface StepCounter {
  /** Counts a step once, however often it is shown. */
  reach(step: number): void;
}

/** Starts to count for one view of the questionnaire. */
export function createStepCounter(settings: Pick<Settings, "demo"> | null, browser: CountingBrowser): StepCounter {
  const isOn = mayCount(settings, browser);
  const reached = new Set<number>();
  return {
    reach: (step) => {
      if (!isOn || reached.has(step)) return;
      reached.add(step);
      report(STEPS_URL, { step }, browser);
    },
  };
}

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
