import { readItem, removeItem, writeItem } from "../../browser/storage.ts";
import { showToast, type ToastContent } from "./store.ts";
import { takeToasts } from "./toaster.ts";

/** Where toasts wait for the next page, in this tab. */
export const TOASTS_KEY = "toasts";

/** The most milliseconds between two pages. A page that shows no toasts, such as a private one, may be in between. */
const MOST_MS = 15_000;

/** Shows on this page what the visitor could still see on the one before. */
export function showToastsOfPageBefore(now: number): void {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const text = readItem("sessionStorage", TOASTS_KEY);
  removeItem("sessionStorage", TOASTS_KEY);
  if (navigation?.type !== "reload") readToasts(text, now).forEach(showToast);
}

/** Keeps what is shown when the page is left. The page itself may come back, and must not show it again. */
export function keepToastsForNextPage(): void {
  window.addEventListener("pagehide", () => {
    const toasts = takeToasts();
    if (toasts.length > 0) writeItem("sessionStorage", TOASTS_KEY, JSON.stringify({ at: Date.now(), toasts }));
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
