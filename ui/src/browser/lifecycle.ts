/** What browsers that prerender pages add. */
type Prerenderable = Document & { readonly prerendering?: boolean };
type Activatable = PerformanceEntry & { readonly activationStart?: number };

/**
 * Calls back when somebody sees the page: at once, or, if the browser has rendered it ahead, when it is shown. Returns
 * how to stop.
 */
export function whenShown(callback: () => void): () => void {
  const { prerendering } = document as Prerenderable;
  if (!prerendering) {
    callback();
    return () => {};
  }
  document.addEventListener("prerenderingchange", callback, { once: true });
  return () => document.removeEventListener("prerenderingchange", callback);
}

/** Like `whenShown`, but this many milliseconds later. */
export function afterShown(milliseconds: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const stop = whenShown(() => {
    timer = setTimeout(callback, milliseconds);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Returns for how many milliseconds the page has been shown. */
export function shownFor(): number {
  const [navigation] = performance.getEntriesByType("navigation") as Activatable[];
  return performance.now() - (navigation?.activationStart ?? 0);
}

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

/** Calls back when the page has loaded, or at once if it has. */
function whenLoaded(callback: () => void): void {
  if (document.readyState === "complete") callback();
  else window.addEventListener("load", callback, { once: true });
}

/**
 * Calls back when the visitor comes back to a page that the browser has kept as it was left. Nothing starts again there,
 * and what other pages have stored since is unknown to it. Returns how to stop.
 */
export function onReturn(callback: () => void): () => void {
  const listen = ({ persisted }: PageTransitionEvent) => {
    if (persisted) callback();
  };
  window.addEventListener("pageshow", listen);
  return () => window.removeEventListener("pageshow", listen);
}
