const CONVERSION = "conversion";

/** Says that an inquiry was stored: once for each, whatever page is open then. What is made of it is up to `tags.ts`, in the other script. */
export function reportConversion(): void {
  window.dispatchEvent(new Event(CONVERSION));
}

export function onConversion(listener: () => void): void {
  window.addEventListener(CONVERSION, listener);
}
