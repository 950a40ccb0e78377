import { useEffect, useState } from "react";
import { whenShown } from "../browser/shown.ts";
import { useSettings } from "../settings/context.tsx";
import { createStepCounter } from "./step-counter.ts";

/** Counts the steps that this view of the questionnaire shows. */
export function useStepCount(step: number): void {
  const settings = useSettings();
  const [counter] = useState(() => createStepCounter(settings, { fetch: window.fetch.bind(window), navigator }));
  useEffect(() => whenShown(() => counter.reach(step)), [counter, step]);
}
