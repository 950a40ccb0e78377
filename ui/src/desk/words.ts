import mails from "../../generated/mails.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

/** German for the words that commands use, which come from `src/domain/referral` and `src/operate/doctor`. */
export const { STATES, ANSWERS, DELIVERIES, REVIEWS, LEVELS, OUTCOMES, CHECKS } = words;

/** What the inbox can be narrowed to. */
export const FILTERS = { ...STATES, failed: DELIVERIES.failed, done: "erledigt" };

export const KINDS = { ...Object.fromEntries(mails.map(({ name, label }) => [name, label])), ...words.WEBHOOKS };
