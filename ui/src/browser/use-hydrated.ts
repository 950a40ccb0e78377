import { useSyncExternalStore } from "react";

/** Returns false while React takes over the served page, which cannot know this visitor, and true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
