import type { Source } from "../blog/articles.ts";
import faq from "../../generated/faq.json" with { type: "json" };

/** The ten questions with plain answers, and the day on which all answers were last checked. */
export const { entries, reviewed } = faq;

/** What the answers rest on. */
export const sources = faq.sources as Source[];
