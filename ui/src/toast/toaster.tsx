import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { currentToasts, dismissToast, subscribeToasts, type Toast } from "./store.ts";
import { ToastCard } from "./toast-card.tsx";
import { usePageHidden } from "./use-page-hidden.ts";

const NONE: readonly Toast[] = [];

/**
 * Where toasts appear. It stands in the page from the start, because a screen reader only tells of what is added to a
 * live region that it knows. Errors need no such region around them: role=alert speaks up by itself, and would be read
 * twice inside another one.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, () => NONE);
  const [isHeld, setHeld] = useState(false);
  const isHidden = usePageHidden();
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => clearWhatIsTyped(region), []);
  const cards = (tone: Toast["tone"]) =>
    toasts
      .filter((toast) => toast.tone === tone)
      .map((toast) => <ToastCard key={toast.id} toast={toast} isHeld={isHeld || isHidden} />);
  return (
    <div
      className="toaster"
      ref={region}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="toaster-list">{cards("error")}</div>
      <div className="toaster-list" aria-live="polite" aria-relevant="additions">
        {cards("info")}
      </div>
    </div>
  );
}

/** Toasts go when the visitor types into a field that they cover: an error also stands at its field. */
function clearWhatIsTyped(region: RefObject<HTMLElement | null>): () => void {
  const look = ({ target }: Event) => {
    const toasts = region.current?.getBoundingClientRect();
    if (!toasts?.height || !(target instanceof Element)) return;
    const field = target.getBoundingClientRect();
    const isCovered = field.top < toasts.bottom && field.bottom > toasts.top && field.right > toasts.left;
    if (isCovered) currentToasts().forEach(({ id }) => dismissToast(id));
  };
  document.addEventListener("input", look);
  return () => document.removeEventListener("input", look);
}
