import type { Source } from "../blog/articles.ts";
import faq from "../../generated/faq.json" with { type: "json" };

/** The ten questions and those about the site, with plain answers, when all were last checked, and whose estimates they show. */
export const { entries, services, reviewed, estimates } = faq;

/** What the answers rest on. */
export const sources = faq.sources as Source[];
