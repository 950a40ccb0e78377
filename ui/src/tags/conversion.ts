const CONVERSION = "conversion";

/** Says that an advertising conversion has happened. What is made of it is up to `tags.ts`, in the other script. */
export function reportConversion(): void {
  window.dispatchEvent(new Event(CONVERSION));
}

export function onConversion(listener: () => void): void {
  window.addEventListener(CONVERSION, listener);
}
