import { useMemo, useSyncExternalStore } from "react";
import type { Step } from "./steps.ts";

/** What a step's history entry knows. `inline/steps.js` writes the same. */
export interface StepEntry {
  /** The number of steps before it in the history. */
  readonly depth?: number;
  /** When it was made, which tells it from other entries. */
  readonly at?: number;
  /** The step before it in the history, if it was reached from one. */
  readonly previous?: Step;
  /** It was reached by a link of the summary, and leads back there. */
  readonly fromSummary?: boolean;
  /** What its link chooses was taken over. */
  readonly isLinkRead?: boolean;
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

/** Returns the open entry. */
export function stepEntry(): StepEntry {
  return (window.history.state ?? {}) as StepEntry;
}

/** Follows the address's query and the open entry. */
export function useStepEntry(): { readonly search: string; readonly entry: StepEntry } {
  const read = () => JSON.stringify([window.location.search, stepEntry()]);
  const text = useSyncExternalStore(subscribe, read, read);
  return useMemo(() => {
    const [search, entry] = JSON.parse(text) as [string, StepEntry];
    return { search, entry };
  }, [text]);
}

/** Opens a step in an entry of its own. */
export function pushStep(step: Step, entry: StepEntry): void {
  const { depth = 0 } = stepEntry();
  window.history.replaceState({ ...stepEntry(), depth }, "");
  window.history.pushState({ ...entry, depth: depth + 1, at: Date.now() }, "", `?step=${step}`);
  listeners.forEach((listener) => listener());
}

/** Replaces the open entry by another step. */
export function replaceStep(step: Step, entry: StepEntry): void {
  const { depth = 0 } = stepEntry();
  window.history.replaceState({ ...entry, depth, at: Date.now() }, "", `?step=${step}`);
  listeners.forEach((listener) => listener());
}

/** Marks the open entry: reloading it must not undo what the visitor has changed since. */
export function markLinkRead(): void {
  window.history.replaceState({ ...stepEntry(), isLinkRead: true } satisfies StepEntry, "");
  listeners.forEach((listener) => listener());
}
