import type { Source } from "../blog/articles.ts";
import faq from "../../generated/faq.json" with { type: "json" };

/** The ten questions and those about the site, with plain answers, the date of the last check, and the origins of estimates. */
export const { entries, services, reviewed, estimates } = faq;

/** The sources of the answers. */
export const sources = faq.sources as Source[];
