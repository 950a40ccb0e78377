/** One page of each kind that people find through search engines. */
export const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/blog"];

/** The minimum score of each category, out of 100. */
export const MIN_SCORES = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };

/**
 * The maximum of each measure while a page loads on Lighthouse's phone: its layout shift, when its largest element is painted,
 * and how long scripts block it (both in milliseconds). Hydrating the form in one task would exceed it.
 */
export const MAX_MEASURES = { shift: 0, paint: 1450, blocked: 100 };

/**
 * How often a page is measured. Medians are compared: some values vary by 75 ms, depending on which request gets the open
 * connection.
 */
export const RUNS = 5;
