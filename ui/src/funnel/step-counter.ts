import type { Settings } from "../settings/types.ts";

const STEPS_URL = "/rest/v1/steps";

/** Tells the server which steps of the questionnaire were reached: a number each, nothing about the visitor. */
export interface StepCounter {
  /** Counts a step once, however often it is shown. */
  reach(step: number): void;
}

/** What the counter needs of the browser. */
export interface CountingBrowser {
  readonly fetch: typeof fetch;
  readonly navigator: { readonly globalPrivacyControl?: boolean; readonly doNotTrack?: string | null };
}

/** Starts to count for one view of the questionnaire. A visitor who objects is not counted, nor is anybody in a demo. */
export function createStepCounter(settings: Pick<Settings, "demo"> | null, browser: CountingBrowser): StepCounter {
  const { globalPrivacyControl, doNotTrack } = browser.navigator;
  const isOff = settings === null || settings.demo || globalPrivacyControl === true || doNotTrack === "1";
  const reached = new Set<number>();
  return {
    reach: (step) => {
      if (isOff || reached.has(step)) return;
      reached.add(step);
      // What is not counted is missing from a sum, which is no reason to bother a visitor.
      void report(step, browser.fetch).catch(() => {});
    },
  };
}

async function report(step: number, send: typeof fetch): Promise<void> {
  const response = await send(STEPS_URL, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ step }),
    credentials: "omit",
    redirect: "error",
    // It may be the last thing that a visitor sees of the page.
    keepalive: true,
    priority: "low",
  });
  // A body that nobody reads keeps the connection busy.
  await response.text();
}
