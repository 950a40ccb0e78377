import { useEffect, useState } from "react";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/shown.ts";
import { useSettings } from "../template/settings.tsx";
import { createStepCounter } from "./step-counter.ts";

/** Counts the steps that this view of the questionnaire shows. */
export function useStepCount(step: number): void {
  const settings = useSettings();
  const [counter] = useState(() => createStepCounter(settings, { fetch: window.fetch.bind(window), navigator }));
  useEffect(() => whenShown(() => guarded(() => counter.reach(step))), [counter, step]);
}
