import inquiry from "../../generated/inquiry.ts";
import consent from "../../generated/consent.json" with { type: "json" };

/** The longest texts, in characters (`content/inquiry.toml`). */
export const LIMITS = inquiry.limits;

/** The messages about an invalid answer. */
export interface Message {
  /** The toast. */
  readonly title: string;
  /** Its explanation, which the field prefers. */
  readonly description: string | null;
  /** The message at an empty field. */
  readonly missing: string | null;
}

/** By the names of the record's fields. */
export const MESSAGES: Readonly<Record<keyof typeof inquiry.messages, Message>> = inquiry.messages;

/** The consent sentence above Absenden with its version, which is kept, and the one of operators who mediate by hand. */
export const CONSENT = consent;
