/** Returns a storage of this browser; null where it is switched off (reading the property throws) or there is no browser. */
export function browserStorage(name: "localStorage" | "sessionStorage"): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
