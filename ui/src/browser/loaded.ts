/** Calls back when the page has loaded, or at once if it has. */
export function whenLoaded(callback: () => void): void {
  if (document.readyState === "complete") callback();
  else window.addEventListener("load", callback, { once: true });
}
