import type { Answers } from "./answers.ts";
import { type BotSignals, readBotSignals } from "./bot-signals.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { toRecord } from "./record.ts";

/** An inquiry as it is sent. Sent again, it keeps its key and every byte, so that the server stores it only once. */
export interface Submission {
  /** The Idempotency-Key. */
  readonly key: string;
  readonly body: string;
  /** RFC 3339, UTC: the `created_at` within the body. */
  readonly createdAt: string;
  /** Missing in what an early version kept. */
  readonly botSignals?: BotSignals;
}

/** How long the server remembers a key (contract.md). A repetition after that could be stored a second time. */
export const KEY_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the submission of these answers: the earlier one if nothing has changed since, so that a visitor who reloads
 * while the inquiry is being sent, and sends it again, does not ask twice.
 */
export function submissionFor(
  answers: Answers,
  earlier: Submission | null,
  now: number,
  botSignals?: BotSignals,
): Submission {
  if (earlier !== null && isSubmissionOf(earlier, answers) && now - Date.parse(earlier.createdAt) <= KEY_LIFETIME_MS) {
    return earlier;
  }
  const createdAt = new Date(now).toISOString();
  const submission = { key: newIdempotencyKey(), body: bodyOf(answers, createdAt), createdAt };
  return botSignals === undefined ? submission : { ...submission, botSignals };
}

/** Says whether the submission would be the same if these answers were sent now. */
export function isSubmissionOf(submission: Submission, answers: Answers): boolean {
  return submission.body === bodyOf(answers, submission.createdAt);
}

/** Reads a stored submission; null for anything malformed. */
export function readSubmission(value: unknown): Submission | null {
  if (typeof value !== "object" || value === null) return null;
  // Earlier versions called the signals a report.
  const { key, body, createdAt, report, botSignals: stored = report } = value as Record<string, unknown>;
  if (typeof key !== "string" || typeof body !== "string" || typeof createdAt !== "string") return null;
  const botSignals = readBotSignals(stored);
  return { key, body, createdAt, ...(botSignals && { botSignals }) };
}

/** The server takes an array of exactly one record (spec section 7). */
function bodyOf(answers: Answers, createdAt: string): string {
  return JSON.stringify([toRecord(answers, createdAt)]);
}
