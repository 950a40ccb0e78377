/**
 * Calls back when the page has been painted for the first time, or at once if nobody sees it: it may be rendered ahead.
 * Browsers that tell nobody of it, or forget to, have painted by the time they have loaded everything.
 */
export function whenPainted(callback: () => void): void {
  if (document.hidden) {
    callback();
    return;
  }
  const start = () => {
    observer.disconnect();
    window.removeEventListener("load", start);
    callback();
  };
  const observer = new PerformanceObserver(start);
  observer.observe({ type: "paint", buffered: true });
  window.addEventListener("load", start);
}
