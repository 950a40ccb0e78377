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
