import mails from "../../generated/mails.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

/** German names for the words of commands, which come from `src/domain/referral` and `src/operate/doctor`. */
export const { STATES, ANSWERS, DELIVERIES, REVIEWS, LEVELS, OUTCOMES, CHECKS } = words;

/** The filters of the inbox. */
export const FILTERS = { ...STATES, failed: DELIVERIES.failed, done: "erledigt" };

export const KINDS = { ...Object.fromEntries(mails.map(({ name, label }) => [name, label])), ...words.WEBHOOKS };
