import { browserStorage } from "../browser/storage.ts";

/** Where a page that is left while it sends an inquiry notes the key of it, for the next page in this tab. */
export const ABANDONED_KEY = "leftWhileSending";

/** Notes an inquiry if the page is left before the returned function is called. */
export function watchLeaving(key: string): () => void {
  const note = () => {
    try {
      browserStorage("sessionStorage")?.setItem(ABANDONED_KEY, key);
    } catch {
      // Full or switched off. The inquiry itself is in the queue.
    }
  };
  window.addEventListener("pagehide", note);
  return () => window.removeEventListener("pagehide", note);
}

/** Returns the key of the inquiry that the page before was sending when it was left, once; null if it was not. */
export function takeAbandonedKey(): string | null {
  const storage = browserStorage("sessionStorage");
  const key = storage?.getItem(ABANDONED_KEY) ?? null;
  if (key !== null) storage?.removeItem(ABANDONED_KEY);
  return key;
}
