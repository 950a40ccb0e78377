import inquiry from "../../generated/inquiry.ts";
import consent from "../../generated/consent.json" with { type: "json" };

/** The maximum lengths of texts, in characters (`content/inquiry.toml`). */
export const LIMITS = inquiry.limits;

/** The messages about an invalid answer. */
export interface Message {
  /** The title of the toast. */
  readonly title: string;
  /** The toast's explanation, which the field shows if there is one. */
  readonly description: string | null;
  /** The message at an empty field. */
  readonly missing: string | null;
}

/** The messages, by the names of the record's fields. */
export const MESSAGES: Readonly<Record<keyof typeof inquiry.messages, Message>> = inquiry.messages;

/** The consent sentence above Absenden with its stored version, and the one of operators who mediate by hand. */
export const CONSENT = consent;
