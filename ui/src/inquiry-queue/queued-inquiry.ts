import { SEND_TIMEOUT_MS, type SendResult } from "../inquiry/send.ts";
import { KEY_LIFETIME_MS, readSubmission, type Submission } from "../inquiry/submission.ts";

/** An inquiry in the queue, and when to send it again. Times are milliseconds since the epoch. */
export interface QueuedInquiry extends Submission {
  readonly queuedAt: number;
  /** How often sending has failed. */
  readonly attempts: number;
  /** Not to be sent before this time on any account: the server's Retry-After. */
  readonly notBefore: number;
  /** The end of our own back-off, which a new visit or a new connection cuts short. */
  readonly retryAt: number;
}

/** The first pause is short, because most failures are a tunnel or a restart. Pauses double from there. */
export const FIRST_PAUSE_MS = 10_000;
/** The longest pause: a page left open over night asks four times an hour. */
export const LONGEST_PAUSE_MS = 15 * 60 * 1000;
/** A Retry-After of more than a day is a mistake of the server, and would lose the inquiry. */
export const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** Why the queue is looked at. */
export type Trigger = "timer" | "page-open" | "online";

/** Returns the entry of an inquiry that is about to be sent for the first time. */
export function queued(submission: Submission, now: number): QueuedInquiry {
  const createdAt = Date.parse(submission.createdAt);
  return {
    ...submission,
    // The lifetime of an entry is that of its key, which may have been sent before.
    queuedAt: createdAt <= now ? createdAt : now,
    attempts: 0,
    notBefore: now,
    // Where there are no locks, other tabs leave the request that is under way alone.
    retryAt: now + SEND_TIMEOUT_MS,
  };
}

/** Returns the entry after another failure. `random` (0 to 1) spreads the visitors of a server that was down. */
export function afterFailure(inquiry: QueuedInquiry, result: SendResult, now: number, random: number): QueuedInquiry {
  const wait = result.kind === "busy" ? (result.waitMs ?? 0) : 0;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** inquiry.attempts, LONGEST_PAUSE_MS);
  return {
    ...inquiry,
    attempts: inquiry.attempts + 1,
    notBefore: now + Math.min(wait, LONGEST_WAIT_MS),
    retryAt: now + pause * (1 + random / 2),
  };
}

/** Says whether the server may have forgotten the key, so that sending could store the inquiry twice. */
export function isExpired({ queuedAt }: QueuedInquiry, now: number): boolean {
  return now - queuedAt > KEY_LIFETIME_MS;
}

export function isDue(inquiry: QueuedInquiry, now: number, trigger: Trigger): boolean {
  return now >= (trigger === "timer" ? dueAt(inquiry) : inquiry.notBefore);
}

/** Returns when to send the inquiry while the page stays open. */
export function dueAt({ notBefore, retryAt }: QueuedInquiry): number {
  return Math.max(notBefore, retryAt);
}

/** Reads a stored entry; null for anything malformed. */
export function readQueuedInquiry(value: unknown): QueuedInquiry | null {
  const submission = readSubmission(value);
  if (submission === null) return null;
  const { queuedAt, attempts, notBefore, retryAt } = value as QueuedInquiry;
  const isComplete = [queuedAt, attempts, notBefore, retryAt].every((number: unknown) => Number.isFinite(number));
  return isComplete ? { ...submission, queuedAt, attempts, notBefore, retryAt } : null;
}
