import { readCookieSettings } from "../consent/cookie-settings.ts";

/** Whether the visitor has agreed to marketing. What cannot be read is no consent. */
export function hasMarketingConsent(storage: Pick<Storage, "getItem"> | null): boolean {
  return readCookieSettings(storage).marketing;
}

const CHANGE = "cookie-consent-change";

/** To be called when the visitor's cookie choices were stored. */
export function announceConsentChange(): void {
  window.dispatchEvent(new Event(CHANGE));
}

/** Tells of stored choices, in this tab or another one; the answer ends it. */
export function onConsentChange(listener: () => void): () => void {
  window.addEventListener(CHANGE, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(CHANGE, listener);
    window.removeEventListener("storage", listener);
  };
}
