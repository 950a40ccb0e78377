/** One page of each kind that people find through search engines. */
export const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/blog"];

/** The minimum score of each category, out of 100. */
export const MIN_SCORES = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };

/**
 * The maximum of each measure while a page loads on Lighthouse's phone: how far its layout shifts, when its largest part is
 * painted, and how long scripts keep it from answering (both in milliseconds). Reading React and taking over the form is one
 * task of some 120 ms there.
 */
export const MAX_MEASURES = { shift: 0, paint: 1450, blocked: 100 };

/** How often a page is measured. The medians count: which request takes the connection that is there changes some by 75 ms. */
export const RUNS = 5;
