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

/** Calls back when the page has been painted, or at once if it is not visible, such as a prerendered one. */
export function whenPainted(callback: () => void): void {
  if (document.hidden) callback();
  // The first frame is on the screen when the second one begins.
  else requestAnimationFrame(() => requestAnimationFrame(callback));
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
