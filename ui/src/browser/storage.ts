type Place = "localStorage" | "sessionStorage";

/** The names of what is kept, or their beginnings: exactly those that `/datenschutz` explains. */
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
 * What this browser keeps, and what this tab keeps. Nothing here throws: storage may be switched off (reading the property
 * throws), full or broken.
 */

/** Returns what is kept under a name; null for nothing. */
export function readItem(place: Place, name: string): string | null {
  return attempt(() => window[place].getItem(name), null);
}

/** Keeps a text; false if the browser refuses to. */
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
