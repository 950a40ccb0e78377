/** Properties that only browsers with prerendering have. */
type Prerenderable = Document & { readonly prerendering?: boolean };
type Activatable = PerformanceEntry & { readonly activationStart?: number };

/**
 * Calls back when the page is visible: at once, or, if the browser has prerendered it, when it is shown. Returns a
 * function that cancels this.
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

/** Returns how long the page has been shown, in milliseconds. */
export function shownFor(): number {
  const [navigation] = performance.getEntriesByType("navigation") as Activatable[];
  return performance.now() - (navigation?.activationStart ?? 0);
}

/**
 * Milliseconds after loading at which a page counts as painted in browsers that do not report paints or forget to. On a
 * fast connection everything arrives before the first frame.
 */
const PAINTED_BY_THEN = 250;

/** Calls back after the page's first paint, or at once if it is not visible, for example because it is prerendered. */
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

/** Calls back when the page has loaded, or at once if it already has. */
function whenLoaded(callback: () => void): void {
  if (document.readyState === "complete") callback();
  else window.addEventListener("load", callback, { once: true });
}

/**
 * Calls back when the visitor returns to a page from the back/forward cache. Scripts do not start again there, and the
 * page has missed what other pages have stored since. Returns a function that cancels this.
 */
export function onReturn(callback: () => void): () => void {
  const listen = ({ persisted }: PageTransitionEvent) => {
    if (persisted) callback();
  };
  window.addEventListener("pageshow", listen);
  return () => window.removeEventListener("pageshow", listen);
}
