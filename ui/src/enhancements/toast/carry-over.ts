import { readItem, removeItem, writeItem } from "../../browser/storage.ts";
import { showToast, type ToastContent } from "./store.ts";
import { takeToasts } from "./toaster.ts";

/** Where toasts wait for the next page, in this tab. */
const TOASTS_KEY = "toasts";

/** The most milliseconds between two pages. A page that shows no toasts, such as a private one, may be in between. */
const MOST_MS = 15_000;

/** What a page that is left keeps for the next one. */
interface KeptToasts {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly toasts: readonly ToastContent[];
}

/** Shows on this page what the visitor could still see on the one before. */
export function showToastsOfPageBefore(): void {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const text = readItem("sessionStorage", TOASTS_KEY);
  removeItem("sessionStorage", TOASTS_KEY);
  if (text === null || navigation?.type === "reload") return;
  const { at, toasts } = JSON.parse(text) as KeptToasts;
  if (Date.now() - at <= MOST_MS) toasts.forEach(showToast);
}

/** Keeps what is shown when the page is left. The page itself may come back, and must not show it again. */
export function keepToastsForNextPage(): void {
  window.addEventListener("pagehide", () => {
    const toasts = takeToasts();
    const kept: KeptToasts = { at: Date.now(), toasts };
    if (toasts.length > 0) writeItem("sessionStorage", TOASTS_KEY, JSON.stringify(kept));
  });
}
