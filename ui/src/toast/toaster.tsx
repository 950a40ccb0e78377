import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { currentToasts, dismissToast, subscribeToasts, type Toast } from "./store.ts";
import { ToastCard } from "./toast-card.tsx";
import { usePageHidden } from "./use-page-hidden.ts";

const NONE: readonly Toast[] = [];

/**
 * Where toasts appear. The region for information is on the page from the start, because screen readers read only what
 * is added to a live region that they know. It has role=status itself: a status inside a live region could be read
 * twice. Errors need no region, because an element with role=alert is read when it appears.
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

/** Holds the toasts as long as the pointer is on one of them or one of them has the focus. */
function useHold(isEmpty: boolean) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // A browser may not report that an element lost the pointer or the focus by being removed.
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
