import { itemNames, readItem, removeItem, writeItem } from "../../browser/storage.ts";
import { readPrivatePage } from "../../inquiry/private-page.ts";
import { SEND_TIMEOUT_MS, type SendResult } from "../../inquiry/send.ts";
import { KEY_LIFETIME_MS, readSubmission, type Submission } from "../../inquiry/submission.ts";
import { isRecentResult, QUEUE_PREFIX, readEntry } from "./waiting.ts";

/** The tab that sent an inquiry, and no other, keeps its private page under this prefix, because the link is a secret. */
const PAGE_PREFIX = "inquiry-page:";

/** The first pause is short, because most failures are due to a tunnel or a restart. Each pause is twice as long as the last. */
export const FIRST_PAUSE_MS = 10_000;
/** The longest pause: a page left open overnight retries four times an hour. */
export const LONGEST_PAUSE_MS = 15 * 60 * 1000;
/** A Retry-After of more than a day is a mistake of the server, and would lose the inquiry. */
export const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** An inquiry in the queue, and when to send it again. Times are milliseconds since the epoch. */
export interface QueuedInquiry extends Submission {
  /** How often sending has failed. */
  readonly attempts: number;
  /** The server's Retry-After: never send before this time. */
  readonly notBefore: number;
  /** The end of our own back-off, which a new visit or a new connection cuts short. */
  readonly retryAt: number;
}

type Stored = Extract<SendResult, { kind: "stored" }>;

/** How an inquiry left the queue. */
export type FinalResult = Stored | Extract<SendResult, { kind: "refused" }> | { readonly kind: "expired" };

/** Why an inquiry stays in the queue. */
export type Failure = Exclude<SendResult, FinalResult>;

/** What is kept about an inquiry that has left the queue. It contains nothing that the visitor entered. */
interface PastInquiry {
  readonly result: FinalResult;
  readonly settledAt: number;
}

/** Queues an inquiry before it is sent, unless it is already queued. Returns false if the browser refuses to store it. */
export function enqueue(submission: Submission, now: number): boolean {
  const times = {
    attempts: 0,
    notBefore: now,
    // Where there are no locks, this keeps other tabs from sending it during the first request.
    retryAt: now + SEND_TIMEOUT_MS,
  };
  return write(submission.key, { ...times, ...findQueued(submission.key), ...submission });
}

/** Keeps an inquiry for another attempt. `random` (0 to 1) spreads out the visitors of a server that was down. */
export function postpone(inquiry: QueuedInquiry, failure: Failure, now: number, random: number): void {
  const wait = failure.kind === "busy" ? failure.waitMs : 0;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** inquiry.attempts, LONGEST_PAUSE_MS);
  write(inquiry.key, {
    ...inquiry,
    attempts: inquiry.attempts + 1,
    notBefore: now + Math.min(wait, LONGEST_WAIT_MS),
    retryAt: now + pause * (1 + random / 2),
  });
}

/** Holds an inquiry back until a given time, like Retry-After. */
export function delay(key: string, until: number): void {
  const inquiry = findQueued(key);
  if (inquiry !== null) write(key, { ...inquiry, notBefore: Math.max(inquiry.notBefore, until) });
}

/** Returns an inquiry's entry; null if it has left the queue. */
export function findQueued(key: string): QueuedInquiry | null {
  const entry = readEntry(QUEUE_PREFIX + key);
  const { attempts, notBefore, retryAt } = entry as QueuedInquiry;
  const hasTimes = [attempts, notBefore, retryAt].every((number: unknown) => Number.isFinite(number));
  return hasTimes ? (readSubmission(entry) as QueuedInquiry | null) : null;
}

/** Returns all inquiries, oldest first, and removes unreadable items and expired results. */
export function listQueue(now: number): QueuedInquiry[] {
  const keys = itemNames("localStorage", QUEUE_PREFIX).map((name) => name.slice(QUEUE_PREFIX.length));
  const inquiries = keys.flatMap((key) => {
    const inquiry = findQueued(key);
    if (inquiry === null && !isRecentResult(readEntry(QUEUE_PREFIX + key), now)) removeQueued(key);
    return inquiry ?? [];
  });
  return inquiries.sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

/** Returns whether the server may have forgotten the key, so that sending could store the inquiry twice. */
export function isExpired({ createdAt }: QueuedInquiry, now: number): boolean {
  return now - Date.parse(createdAt) > KEY_LIFETIME_MS;
}

/** Returns when to send the inquiry while the page stays open. */
export function dueAt({ notBefore, retryAt }: QueuedInquiry): number {
  return Math.max(notBefore, retryAt);
}

/** Removes everything stored about an inquiry. */
export function removeQueued(key: string): void {
  removeItem("localStorage", QUEUE_PREFIX + key);
  removeItem("sessionStorage", PAGE_PREFIX + key);
}

/** Replaces an inquiry with its result for the thank-you page. Only this tab keeps the private page. */
export function settle(key: string, result: FinalResult, now: number): void {
  const kept = result.kind === "stored" ? { ...result, privatePage: null } : result;
  if (!write(key, { result: kept, settledAt: now } satisfies PastInquiry)) removeQueued(key);
  if (result.kind === "stored" && result.privatePage !== null)
    writeItem("sessionStorage", `${PAGE_PREFIX}${key}`, result.privatePage);
}

/** Returns the server's response to an inquiry that it has stored; null if it is not known. */
export function storedResult(key: string): Stored | null {
  const { result } = readEntry(QUEUE_PREFIX + key) as Partial<PastInquiry>;
  return result?.kind === "stored" ? { ...result, privatePage: privatePageOf(key) } : null;
}

/** Returns the private page of an inquiry that this tab has sent. */
export function privatePageOf(key: string): string | null {
  return readPrivatePage(readItem("sessionStorage", PAGE_PREFIX + key));
}

function write(key: string, entry: object): boolean {
  return writeItem("localStorage", `${QUEUE_PREFIX}${key}`, JSON.stringify(entry));
}
