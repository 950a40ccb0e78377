import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { currentToasts, dismissToast, subscribeToasts, type Toast } from "./store.ts";
import { ToastCard } from "./toast-card.tsx";
import { usePageHidden } from "./use-page-hidden.ts";

const NONE: readonly Toast[] = [];

/**
 * Where toasts appear. The region for information stands in the page from the start, because screen readers only read
 * what is added to a live region that they know; it carries the role, so that its toasts are not read a second time.
 * Errors need no such region: role=alert is read by itself, and would be read twice inside another one.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, () => NONE);
  const region = useRef<HTMLDivElement>(null);
  const { isHeld, holdEvents } = useHold(toasts.length === 0);
  const isHidden = usePageHidden();
  useEffect(() => dismissWhatIsInTheWay(region), []);
  const cards = (tone: Toast["tone"]) =>
    toasts
      .filter((toast) => toast.tone === tone)
      .map((toast) => <ToastCard key={toast.id} toast={toast} isHeld={isHeld || isHidden} />);
  return (
    <div className="toaster" ref={region} {...holdEvents}>
      <div className="toaster-list">{cards("error")}</div>
      <div className="toaster-list" role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions">
        {cards("info")}
      </div>
    </div>
  );
}

/** Holds the toasts while the pointer is on one or one has the focus, each for itself. */
function useHold(isEmpty: boolean) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // Browsers do not report it when what had the pointer or the focus is removed.
  if (isEmpty && (isHovered || isFocused)) {
    setHovered(false);
    setFocused(false);
  }
  return {
    isHeld: isHovered || isFocused,
    holdEvents: {
      onPointerEnter: () => setHovered(true),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}

/** Dismisses toasts when the visitor types into a field that they cover: an error also stands at its field. */
function dismissWhatIsInTheWay(region: RefObject<HTMLElement | null>): () => void {
  const onInput = ({ target }: Event) => {
    const toasts = region.current?.getBoundingClientRect();
    if (!toasts?.height || !(target instanceof Element)) return;
    const field = target.getBoundingClientRect();
    const isCovered = field.top < toasts.bottom && field.bottom > toasts.top && field.right > toasts.left;
    if (isCovered) currentToasts().forEach(({ id }) => dismissToast(id));
  };
  document.addEventListener("input", onInput);
  return () => document.removeEventListener("input", onInput);
}
