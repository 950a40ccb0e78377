import { browserStorage } from "../../browser/storage.ts";
import { currentToasts, dismissToast } from "./list.ts";
import { showToast, type ToastContent } from "./store.ts";

/** Where toasts wait for the next page, in this tab. */
export const TOASTS_KEY = "toasts";

/** The most milliseconds between two pages. A page that shows no toasts, such as a private one, may be in between. */
const MOST_MS = 15_000;

/** Shows on this page what the visitor could still see on the one before. */
export function showToastsOfPageBefore(now: number): void {
  const storage = browserStorage("sessionStorage");
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const text = storage?.getItem(TOASTS_KEY);
  storage?.removeItem(TOASTS_KEY);
  if (navigation?.type !== "reload") readToasts(text, now).forEach(showToast);
}

/** Keeps what is shown when the page is left. The page itself may come back, and must not show it again. */
export function keepToastsForNextPage(): void {
  window.addEventListener("pagehide", () => {
    const toasts = currentToasts();
    if (toasts.length === 0) return;
    try {
      const left = { at: Date.now(), toasts };
      browserStorage("sessionStorage")?.setItem(TOASTS_KEY, JSON.stringify(left));
    } catch {
      // Full or switched off.
    }
    toasts.forEach(({ id }) => dismissToast(id));
  });
}

/** Returns the stored toasts, none where there is anything else. */
export function readToasts(text: string | null | undefined, now: number): ToastContent[] {
  try {
    const { at, toasts } = JSON.parse(text ?? "{}") as { at?: unknown; toasts?: unknown };
    if (typeof at !== "number" || now - at > MOST_MS || !Array.isArray(toasts)) return [];
    return toasts.filter(isToast);
  } catch {
    return [];
  }
}

function isToast(value: unknown): value is ToastContent {
  const { tone, title, link } = (value ?? {}) as Partial<Record<keyof ToastContent, unknown>>;
  const href = (link as { href?: unknown } | undefined)?.href;
  return (
    (tone === "info" || tone === "error") &&
    typeof title === "string" &&
    (link === undefined || (typeof href === "string" && /^\/(?!\/)/.test(href)))
  );
}
