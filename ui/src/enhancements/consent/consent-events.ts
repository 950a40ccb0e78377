const CHANGE = "cookie-consent-change";

/** Tells listeners in this tab that a choice about cookies was stored. */
export function announceConsentChange(): void {
  window.dispatchEvent(new Event(CHANGE));
}

/** Calls back when a choice was stored, in this tab or another one. Returns a function that stops it. */
export function onConsentChange(listener: () => void): () => void {
  window.addEventListener(CHANGE, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(CHANGE, listener);
    window.removeEventListener("storage", listener);
  };
}
