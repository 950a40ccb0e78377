import { useEffect, useRef, useState } from "react";
import { actAsThanks, type Arrival, openThanks } from "./thanks.ts";
import { dismissGroup } from "../enhancements/toast/store.ts";
import { FAILURE_TOASTS } from "./delivery/toasts.ts";
import { Frame } from "./frame.tsx";
import type { Failure } from "./use-submit.ts";

/** Milliseconds after a failed submit until the thank-you page opens. */
const REDIRECT_MS = 5_000;

interface Props {
  readonly failure: Failure;
  readonly isSending: boolean;
  readonly onSendAgain: () => void;
  readonly onReview: () => void;
}

/**
 * Step 5, after a failed submit: says what happened to the inquiry, and then opens the thank-you page, unless the visitor
 * chooses to stay (WCAG 2.2.1) or sends it again.
 */
export function Confirmation({ failure, isSending, onSendAgain, onReview }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isStopped, setStopped] = useState(false);
  const [hasArrived, setArrived] = useState(false);
  const { queuedAs, isRefused } = failure;

  // The address stays the same, so the page does not scroll to the top by itself.
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: "instant" });
    heading.current?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    if (isStopped || isSending || hasArrived) return undefined;
    const arrival: Arrival = queuedAs === null ? { status: "failed" } : { status: "pending", key: queuedAs };
    const lead = () => {
      dismissGroup(FAILURE_TOASTS); // the next page explains it
      openThanks(arrival);
    };
    const stay = () => {
      actAsThanks(arrival); // without a network the browser would show its own error page
      setArrived(true);
    };
    const timer = setTimeout(() => void fetch("/danke", { method: "HEAD" }).then(lead, stay), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [failure, queuedAs, isStopped, isSending, hasArrived]);

  return (
    <Frame>
      <section className="confirmation stack measure" data-gap="4" aria-labelledby="confirmation-heading">
        <h1 className="questionnaire-heading" id="confirmation-heading" ref={heading} tabIndex={-1}>
          Vielen Dank! Ihre Anfrage ist noch nicht bei uns
        </h1>
        {queuedAs === null ? (
          <p>
            Leider konnten wir Ihre Anfrage nicht übermitteln. Ihre Angaben stehen noch im Fragebogen, sofern Ihr
            Browser Websitedaten speichern darf.
          </p>
        ) : (
          <p>
            Ihre Anfrage konnte noch nicht übermittelt werden. Sie ist auf diesem Gerät gespeichert und wird automatisch
            erneut gesendet, sobald das möglich ist. Sie können es auch selbst noch einmal versuchen: Doppelt kommt sie
            bei uns nicht an.
          </p>
        )}
        <p aria-live="polite">
          {isSending
            ? "Ihre Anfrage wird gesendet."
            : isStopped
              ? "Die Weiterleitung ist angehalten. Sie können hier bleiben."
              : !hasArrived && "Sie werden in 5 Sekunden weitergeleitet."}
        </p>
        <p className="actions">
          {isRefused ? (
            <button type="button" className="button" onClick={onReview}>
              Angaben prüfen
            </button>
          ) : (
            <button type="button" className="button" disabled={isSending} onClick={onSendAgain}>
              {isSending ? "Wird gesendet..." : "Jetzt noch einmal senden"}
            </button>
          )}
          <a className="button-quiet" href="/">
            Zur Startseite
          </a>
          {!isStopped && !hasArrived && (
            <button
              type="button"
              className="button-quiet"
              onClick={() => {
                setStopped(true);
                heading.current?.focus({ preventScroll: true }); // the button disappears
              }}
            >
              Hier bleiben
            </button>
          )}
        </p>
      </section>
    </Frame>
  );
}
