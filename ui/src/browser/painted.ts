/** Calls back when the page has been painted for the first time, or at once if nobody sees it: it may be rendered ahead. */
export function whenPainted(callback: () => void): void {
  if (document.hidden) callback();
  else
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      callback();
    }).observe({ type: "paint", buffered: true });
}
