/** One of each kind of page that matters to somebody who searches. */
export const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/blog"];

/** The least score of each category, of 100. */
export const LEAST = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };

/** The most that may move while a page loads. */
export const MOST_SHIFT = 0;

/** How often a page is measured when its first performance falls short: the middle one counts, one hiccup does not. */
export const RUNS = 3;
