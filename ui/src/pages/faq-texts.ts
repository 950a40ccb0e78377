import type { Source } from "../blog/articles.ts";
import faq from "../../generated/faq.json" with { type: "json" };

/**
 * The ten questions with plain answers, those about the site itself, the day on which all were last checked, and whose
 * estimates they show.
 */
export const { entries, services, reviewed, estimates } = faq;

/** What the answers rest on. */
export const sources = faq.sources as Source[];
