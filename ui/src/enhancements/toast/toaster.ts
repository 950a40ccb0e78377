import { currentToasts, dismissToast, handle, onToastsChange, type Toast } from "./list.ts";
import { onToastRequest } from "./store.ts";
import { createCard, type ToastCard } from "./toast-card.ts";

/**
 * Shows what scripts ask for where the page has a place for them (`toast-region.tsx`). They are held as long
 * as the pointer is on one of them, one of them has the focus, or the visitor is in another tab.
 */
export function startToaster(): void {
  const region = document.querySelector<HTMLElement>(".toaster");
  const [errors, infos] = region?.children ?? [];
  if (!region || !errors || !infos) return;
  const cards = new Map<number, ToastCard>();
  const held = { byPointer: false, byFocus: false };

  const hold = () => {
    const isHeld = held.byPointer || held.byFocus || document.hidden;
    for (const card of cards.values()) card.hold(isHeld);
  };

  const show = (toasts: readonly Toast[]) => {
    for (const [id, card] of cards) {
      if (toasts.some((toast) => toast.id === id)) continue;
      card.element.remove();
      cards.delete(id);
    }
    for (const toast of toasts) {
      if (cards.has(toast.id)) continue;
      const card = createCard(toast);
      cards.set(toast.id, card);
      (toast.tone === "error" ? errors : infos).append(card.element);
      region.scrollTop = card.element.offsetTop;
    }
    // A browser may not report that an element lost the pointer or the focus by being removed.
    if (cards.size === 0) Object.assign(held, { byPointer: false, byFocus: false });
    hold();
  };

  const holdOn = (event: string, change: Partial<typeof held>) =>
    region.addEventListener(event, () => {
      Object.assign(held, change);
      hold();
    });
  holdOn("pointerenter", { byPointer: true });
  holdOn("pointerleave", { byPointer: false });
  holdOn("focusin", { byFocus: true });
  holdOn("focusout", { byFocus: false });
  document.addEventListener("visibilitychange", hold);
  for (const event of ["input", "focusin"])
    document.addEventListener(event, ({ target }) => dismissWhatCovers(target, region));
  onToastsChange(show);
  onToastRequest(handle);
}

/** Dismisses toasts when they cover what the visitor types into or focuses: an error is also shown at its field. */
function dismissWhatCovers(target: EventTarget | null, region: HTMLElement): void {
  if (!(target instanceof Element) || region.contains(target)) return;
  const isCovered = () => {
    const [toasts, field] = [region.getBoundingClientRect(), target.getBoundingClientRect()];
    return toasts.height > 0 && field.top < toasts.bottom && field.bottom > toasts.top && field.right > toasts.left;
  };
  // WebKit scrolls to what gets the focus only after it has said so.
  if (isCovered()) target.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (isCovered()) currentToasts().forEach(({ id }) => dismissToast(id));
}
