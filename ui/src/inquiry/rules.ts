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

/** The consent sentences above Absenden, and their versions, which are kept with the inquiry (`content/consent.toml`). */
export const CONSENT: Readonly<Record<"firms" | "byHand", { readonly version: number; readonly text: string }>> = {
  firms: consent,
  byHand: consent.by_hand,
};
