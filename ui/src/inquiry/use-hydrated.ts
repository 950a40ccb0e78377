import { useSyncExternalStore } from "react";

/** False while React takes over the page that was sent, which cannot know this visitor; true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
