import type { Settings } from "../template/site-settings.ts";
import { type CountingBrowser, mayCount, report } from "./report.ts";

const STEPS_URL = "/rest/v1/steps";

/** Tells the server which steps of the questionnaire were reached: a number each, nothing about the visitor. */
export interface StepCounter {
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
