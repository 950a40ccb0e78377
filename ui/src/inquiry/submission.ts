import { additionsOf, readAdditions } from "./additions.ts";
import type { Answers } from "./answers.ts";
import { type BotSignals, readBotSignals } from "./bot-signals.ts";
import { CONSENT } from "./rules.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { toRecord } from "./record.ts";

/** An inquiry as it is sent. Sent again, it keeps its key and every byte, so that the server stores it only once. */
export interface Submission {
  /** The Idempotency-Key. */
  readonly key: string;
  readonly body: string;
  /** RFC 3339, UTC: the `created_at` within the body. */
  readonly createdAt: string;
  /** Missing where what was stored of them is broken. */
  readonly botSignals?: BotSignals;
  /** What was answered beyond the record, for the firms; may be empty. Missing where it is broken in the storage. */
  readonly additions?: string;
  /** The version of the consent sentence that the visitor saw. Missing where it is broken in the storage. */
  readonly consent?: number;
}

/** How long the server remembers a key. A repetition after that could be stored a second time. */
export const KEY_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the submission of these answers. If they are the same as earlier, so are key and body: a visitor who reloads while
 * the inquiry is being sent, and sends it again, does not ask twice. Other answers have another key, free texts included:
 * the server answers a known key with what it has, and would drop what is new.
 */
export function submissionFor(
  answers: Answers,
  earlier: Submission | null,
  now: number,
  botSignals?: BotSignals,
): Submission {
  const declared = { additions: additionsOf(answers), consent: CONSENT.version };
  if (earlier !== null && isSubmissionOf(earlier, answers) && now - Date.parse(earlier.createdAt) <= KEY_LIFETIME_MS) {
    return { ...earlier, ...declared };
  }
  const createdAt = new Date(now).toISOString();
  const submission = { key: newIdempotencyKey(), body: bodyOf(answers, createdAt), createdAt, ...declared };
  return botSignals === undefined ? submission : { ...submission, botSignals };
}

/** Says whether the submission would be the same if these answers were sent now. */
export function isSubmissionOf(submission: Submission, answers: Answers): boolean {
  const { additions = additionsOf(answers) } = submission;
  return hasRecordOf(submission, answers) && additions === additionsOf(answers);
}

/** Returns the headers for what is sent beside the record. */
export function declarationHeaders({ additions = "", consent }: Submission): Record<string, string> {
  return {
    ...(additions !== "" && { "Form-Additions": encodeURIComponent(additions) }),
    ...(consent !== undefined && { "Form-Consent": String(consent) }),
  };
}

/** Reads a stored submission; null for anything malformed. What was sent beside the record may be missing or broken. */
export function readSubmission(value: unknown): Submission | null {
  if (typeof value !== "object" || value === null) return null;
  const { key, body, createdAt, consent, ...rest } = value as Record<string, unknown>;
  if (typeof key !== "string" || typeof body !== "string" || typeof createdAt !== "string") return null;
  const botSignals = readBotSignals(rest.botSignals);
  const additions = readAdditions(rest.additions);
  return {
    key,
    body,
    createdAt,
    ...(botSignals && { botSignals }),
    ...(additions !== undefined && { additions }),
    ...(isVersion(consent) && { consent }),
  };
}

function hasRecordOf(submission: Submission, answers: Answers): boolean {
  return submission.body === bodyOf(answers, submission.createdAt);
}

/** The server takes an array of exactly one record. */
function bodyOf(answers: Answers, createdAt: string): string {
  return JSON.stringify([toRecord(answers, createdAt)]);
}

/** The server reads 16 bits, and refuses an inquiry with more. */
function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 0xffff;
}
