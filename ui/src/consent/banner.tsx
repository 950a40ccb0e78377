import { useEffect, useState } from "react";
import { browserStorage } from "../browser/storage.ts";
import { Link, useLocation, useNavigate } from "../routing/router.ts";
import { trackHeight } from "./banner-height.ts";
import { announceConsentChange, onConsentChange } from "./consent-events.ts";
import {
  type Consent,
  type CookieSettings,
  EVERYTHING,
  hasChosen,
  NECESSARY_ONLY,
  storeCookieSettings,
} from "./cookie-settings.ts";

/** Milliseconds after hydration (spec, section 9). */
const DELAY = 1_500;

const SETTINGS_PATH = "/cookie-einstellungen";

/**
 * Asks a visitor who has not chosen yet. The banner comes first in the page, so that the Tab key reaches it first, but
 * it takes no focus. The live region around it announces it. Accepting and rejecting look the same.
 */
export function CookieBanner() {
  const { pathname } = useLocation();
  const [isOpen, close] = useIsOpen();
  const navigate = useNavigate();
  const choose = (settings: CookieSettings, consent: Consent) => {
    storeCookieSettings(browserStorage("localStorage"), settings, consent);
    close();
    announceConsentChange();
  };

  return (
    <div aria-live="polite">
      {/* Not on the page with the detailed choice. */}
      {isOpen && pathname !== SETTINGS_PATH && (
        // A dialog is closed by Escape from wherever the focus is in it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <div
          className="banner"
          role="dialog"
          aria-labelledby="banner-title"
          aria-describedby="banner-text"
          ref={trackHeight}
          onKeyDown={(event) => event.key === "Escape" && close()}
        >
          <p className="banner-title" id="banner-title">
            Cookies auf dieser Website
          </p>
          <p className="banner-text" id="banner-text">
            Was für den Betrieb nötig ist, speichern wir immer. Analyse, Marketing und Präferenzen nur, wenn Sie
            zustimmen; das können Sie jederzeit ändern. Mehr in der <Link to="/datenschutz">Datenschutzerklärung</Link>.
          </p>
          <div className="banner-choices">
            <button className="button-plain" type="button" onClick={() => choose(EVERYTHING, "accepted")}>
              Alle akzeptieren
            </button>
            <button className="button-plain" type="button" onClick={() => choose(NECESSARY_ONLY, "rejected")}>
              Ablehnen
            </button>
          </div>
          <button
            className="banner-details"
            type="button"
            onClick={() => {
              close();
              void navigate(SETTINGS_PATH);
            }}
          >
            Details anpassen
          </button>
          <button
            className="banner-close"
            type="button"
            aria-label="Schließen"
            data-tooltip="Schließen"
            onClick={close}
          >
            <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" />
            </svg>
          </button>
        </div>
      )}
    </div>
  );
}

function useIsOpen(): [boolean, () => void] {
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const mustAsk = () => !hasChosen(browserStorage("localStorage"));
    const timer = setTimeout(() => setOpen(mustAsk()), DELAY);
    const stop = onConsentChange(() => setOpen((isStillOpen) => isStillOpen && mustAsk()));
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);

  const close = () => {
    setOpen(false);
    // The focused button is about to disappear, and the focus with it.
    if (document.activeElement?.closest(".banner")) document.getElementById("inhalt")?.focus({ preventScroll: true });
  };
  return [isOpen, close];
}
