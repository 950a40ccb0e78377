import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { arrivalState } from "../thanks/arrival.ts";
import { Frame } from "./frame.tsx";
import type { Failure } from "./use-submit.ts";

/** Milliseconds until a visitor whose inquiry could not be sent is led to the thank-you page. */
const REDIRECT_MS = 5_000;

/**
 * Step 5, after a failed submit: says what became of the inquiry, and then leads to the thank-you page, unless the visitor
 * wants to stay (WCAG 2.2.1).
 */
export function Confirmation({ failure }: { readonly failure: Failure }) {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isStopped, setStopped] = useState(false);
  const { queuedAs } = failure;

  // The address stays the same, so that the page does not scroll to its top by itself.
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: "instant" });
    heading.current?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    if (isStopped) return undefined;
    const state = queuedAs === null ? arrivalState.failed : arrivalState.pending(queuedAs);
    const timer = setTimeout(() => void navigate("/danke", { replace: true, state }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate, queuedAs, isStopped]);

  return (
    <div className="layout-wrap layout-page questionnaire-page">
      <Frame>
        <section className="confirmation" aria-labelledby="confirmation-heading">
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
              Ihre Anfrage konnte noch nicht übermittelt werden. Sie brauchen sie nicht selbst noch einmal zu senden:
              Sie ist auf diesem Gerät gespeichert und wird automatisch erneut gesendet, sobald das möglich ist.
            </p>
          )}
          <p aria-live="polite">
            {isStopped
              ? "Die Weiterleitung ist angehalten. Sie können hier bleiben."
              : "Sie werden in 5 Sekunden weitergeleitet."}
          </p>
          <p className="actions">
            <a className="button" href="/">
              Zur Startseite
            </a>
            {!isStopped && (
              <button
                type="button"
                className="button-quiet"
                onClick={() => {
                  setStopped(true);
                  heading.current?.focus({ preventScroll: true }); // the button goes
                }}
              >
                Hier bleiben
              </button>
            )}
          </p>
        </section>
      </Frame>
    </div>
  );
}
