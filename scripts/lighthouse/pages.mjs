/** One page of each kind that people find through search engines. */
export const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/blog"];

/** The minimum score of each category, out of 100. */
export const MIN_SCORES = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };

/** The maximum layout shift while a page loads. */
export const MAX_SHIFT = 0;

/** How often a page is measured if its first performance score is too low. The median counts, so one outlier does not. */
export const RUNS = 3;
