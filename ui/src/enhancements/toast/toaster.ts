import { readItem, removeItem, writeItem } from "../../browser/storage.ts";
import { onToastRequest, showToast, type ToastContent } from "./store.ts";
import { createCard } from "./toast-card.ts";

/** More would cover the page on a small phone. The oldest are removed first. */
const MOST_AT_ONCE = 4;

/** Time to notice and read a sentence or two. Missing an error does no harm, because its field also shows it. */
const DURATION_MS = { info: 6_000, error: 10_000 } as const;

/** Time to read a toast and reach its link, which is nowhere else on the page. */
const LINK_DURATION_MS = 20_000;

/** The cards on the page, oldest first, with their timers. */
const cards = new Map<
  HTMLElement,
  { readonly toast: ToastContent; timer?: ReturnType<typeof setTimeout> | undefined }
>();

/** Whether all toasts stay open. */
const held = { byPointer: false, byFocus: false };

/**
 * Shows toasts on request if the page has a place for them (`layout/layout.tsx`). They stay open as long as the pointer
 * is on one of them, one of them has the focus, or the visitor is in another tab.
 */
export function startToaster(): void {
  const region = document.querySelector<HTMLElement>(".toaster");
  const [errors, infos] = region?.children ?? [];
  if (!region || !errors || !infos) return;

  const show = (toast: ToastContent) => {
    dismissGroup(toast.group);
    const card = createCard(toast, dismiss);
    cards.set(card, { toast });
    [...cards.keys()].slice(0, -MOST_AT_ONCE).forEach(dismiss);
    (toast.tone === "error" ? errors : infos).append(card);
    region.scrollTop = card.offsetTop;
    runTimers();
  };

  const holdOn = (event: string, change: Partial<typeof held>) =>
    region.addEventListener(event, () => {
      Object.assign(held, change);
      runTimers();
    });
  holdOn("pointerenter", { byPointer: true });
  holdOn("pointerleave", { byPointer: false });
  holdOn("focusin", { byFocus: true });
  holdOn("focusout", { byFocus: false });
  document.addEventListener("visibilitychange", runTimers);
  for (const event of ["input", "focusin"])
    document.addEventListener(event, ({ target }) => dismissWhatCovers(target, region));
  onToastRequest((request) => ("show" in request ? show(request.show) : dismissGroup(request.dismissGroup)));
}

function dismiss(card: HTMLElement): void {
  clearTimeout(cards.get(card)?.timer);
  card.remove();
  cards.delete(card);
  // A browser may not report that an element lost the pointer or the focus by being removed.
  if (cards.size === 0) Object.assign(held, { byPointer: false, byFocus: false });
}

function dismissGroup(group: string | undefined): void {
  for (const [card, { toast }] of cards) if (group !== undefined && toast.group === group) dismiss(card);
}

/** Starts the timer of each toast, or stops it while toasts are held; afterwards it starts over. */
function runTimers(): void {
  const isHeld = held.byPointer || held.byFocus || document.hidden;
  for (const [card, entry] of cards) {
    const { tone, link } = entry.toast;
    if (isHeld) {
      clearTimeout(entry.timer);
      entry.timer = undefined;
    } else entry.timer ??= setTimeout(() => dismiss(card), link ? LINK_DURATION_MS : DURATION_MS[tone]);
  }
}

/** Dismisses toasts that cover what the visitor types into or focuses; an error is also shown at its field. */
function dismissWhatCovers(target: EventTarget | null, region: HTMLElement): void {
  if (!(target instanceof Element) || region.contains(target)) return;
  const isCovered = () => {
    const [toasts, field] = [region.getBoundingClientRect(), target.getBoundingClientRect()];
    return toasts.height > 0 && field.top < toasts.bottom && field.bottom > toasts.top && field.right > toasts.left;
  };
  // WebKit scrolls to an element only after it has fired the focus event.
  if (isCovered()) target.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (isCovered()) [...cards.keys()].forEach(dismiss);
}

/** Where toasts wait for the next page in this tab. */
const TOASTS_KEY = "toasts";

/** The most milliseconds between two pages. A page without toasts, such as a private one, may be in between. */
const MOST_MS = 15_000;

/** What a page leaves behind for the next one. */
interface KeptToasts {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly toasts: readonly ToastContent[];
}

/** Shows the toasts that were still open on the previous page. */
export function showToastsOfPageBefore(): void {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const text = readItem("sessionStorage", TOASTS_KEY);
  removeItem("sessionStorage", TOASTS_KEY);
  if (text === null || navigation?.type === "reload") return;
  const { at, toasts } = JSON.parse(text) as KeptToasts;
  if (Date.now() - at <= MOST_MS) toasts.forEach(showToast);
}

/** Keeps open toasts when the page is left. The back/forward cache may restore the page, which must not show them again. */
export function keepToastsForNextPage(): void {
  window.addEventListener("pagehide", () => {
    const toasts = [...cards.values()].map(({ toast }) => toast);
    [...cards.keys()].forEach(dismiss);
    const kept: KeptToasts = { at: Date.now(), toasts };
    if (toasts.length > 0) writeItem("sessionStorage", TOASTS_KEY, JSON.stringify(kept));
  });
}
