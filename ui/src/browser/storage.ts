/**
 * Returns a storage of this browser; null where it is switched off (reading the property throws), where it is broken
 * (reading from it throws), or where there is no browser.
 */
export function browserStorage(name: "localStorage" | "sessionStorage"): Storage | null {
  try {
    const storage = window[name];
    storage.getItem("");
    return storage;
  } catch {
    return null;
  }
}
