type Place = "localStorage" | "sessionStorage";

/** The keys that may be used, or their prefixes: exactly those that `/datenschutz` explains. */
export const KEPT = [
  "cookieConsent",
  "cookieSettings",
  "cookieTags",
  "inquiry-outbox:",
  "inquiry-page:",
  "leftWhileSending",
  "questionnaire",
  "toasts",
] as const;

type KeptName = `${(typeof KEPT)[number]}${string}`;

/*
 * The storage of this browser, and of this tab. Nothing here throws: storage may be disabled (then reading the property
 * throws), full or broken.
 */

/** Returns the item with this name; null if there is none. */
export function readItem(place: Place, name: string): string | null {
  return attempt(() => window[place].getItem(name), null);
}

/** Stores a text; returns false if the browser refuses. */
export function writeItem(place: Place, name: KeptName, text: string): boolean {
  return attempt(() => {
    window[place].setItem(name, text);
    return true;
  }, false);
}

export function removeItem(place: Place, name: string): void {
  attempt(() => window[place].removeItem(name), undefined);
}

/** Returns the names that begin with a prefix. */
export function itemNames(place: Place, prefix: string): string[] {
  const read = () => Array.from({ length: window[place].length }, (_, index) => window[place].key(index) ?? "");
  return attempt(read, []).filter((name) => name.startsWith(prefix));
}

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
