import inquiry from "../../generated/inquiry.ts";

/** The longest texts, in characters (`content/inquiry.toml`). */
export const LIMITS = inquiry.limits;

/** What is said of a wrong answer. */
export interface Message {
  /** The toast. */
  readonly title: string;
  /** Its explanation, which the field prefers. */
  readonly description: string | null;
  /** What is said at a field that is empty. */
  readonly missing: string | null;
}

/** By the names of the record's fields. */
export const MESSAGES: Readonly<Record<keyof typeof inquiry.messages, Message>> = inquiry.messages;
