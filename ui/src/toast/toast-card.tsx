import { useEffect, useId, useRef } from "react";
import { dismissToast, type Toast } from "./store.ts";

/** Time to notice and read a sentence or two. Nothing is lost with an error: it also stands at its field. */
const DURATION_MS: Readonly<Record<Toast["tone"], number>> = { info: 6_000, error: 10_000 };

/** Time to read a toast and to reach its link, which stands nowhere else on the page. */
const LINK_DURATION_MS = 20_000;

interface ToastCardProps {
  readonly toast: Toast;
  /** Held toasts stay. When they are released, their time starts again. */
  readonly isHeld: boolean;
}

export function ToastCard({ toast, isHeld }: ToastCardProps) {
  const { id, tone, title, description, link } = toast;
  const duration = link === undefined ? DURATION_MS[tone] : LINK_DURATION_MS;
  const titleId = useId();
  const cameFrom = useRef<Element | null>(null);

  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration, isHeld]);

  const close = () => {
    // Give the focus back, so that keyboard users go on where they were.
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    dismissToast(id);
  };

  return (
    <div className="toast" data-tone={tone} role={tone === "error" ? "alert" : undefined}>
      <div className="toast-text">
        {tone === "error" && <span className="visually-hidden">Fehler: </span>}
        <p className="toast-title" id={titleId}>
          {title}
        </p>
        {description === undefined ? null : <p className="toast-description">{description}</p>}
        {link === undefined ? null : (
          <p className="toast-description">
            <a href={link.href}>{link.label}</a>
          </p>
        )}
      </div>
      <button
        type="button"
        className="toast-close"
        aria-label="Meldung schließen"
        data-tooltip="Meldung schließen"
        aria-describedby={titleId}
        onFocus={(event) => {
          cameFrom.current = event.relatedTarget;
        }}
        onKeyDown={(event) => event.key === "Escape" && close()}
        onClick={close}
      >
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path d="M6 6l12 12M18 6L6 18" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  );
}
