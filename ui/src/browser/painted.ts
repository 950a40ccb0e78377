import { whenLoaded } from "./loaded.ts";

/**
 * How long after everything has loaded a page counts as painted, in milliseconds, in browsers that do not report paints or forget
 * to. On a fast line everything is there before the first frame.
 */
const PAINTED_BY_THEN = 250;

/** Calls back when the page has been painted for the first time, or at once if it is not visible, such as a prerendered one. */
export function whenPainted(callback: () => void): void {
  if (document.hidden) {
    callback();
    return;
  }
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    observer.disconnect();
    callback();
  };
  const observer = new PerformanceObserver(start);
  observer.observe({ type: "paint", buffered: true });
  whenLoaded(() => setTimeout(start, PAINTED_BY_THEN));
}
