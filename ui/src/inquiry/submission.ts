import { additionsOf } from "./additions.ts";
import type { Answers } from "./answers.ts";
import { toRecord } from "./record.ts";
import { CONSENT } from "./rules.ts";

/** An inquiry ready to be sent. A retry keeps its key and every byte, so that the server stores it only once. */
export interface Submission {
  /** The Idempotency-Key. */
  readonly key: string;
  readonly body: string;
  /** RFC 3339, UTC: the `created_at` within the body. */
  readonly createdAt: string;
  /** Headers sent with the record: additions, consent, and how the form was filled in. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How long the server remembers a key. A later retry could be stored a second time. */
export const KEY_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the submission of these answers. If they are the same as before, so are key and body: a visitor who reloads
 * while the inquiry is being sent, and sends it again, does not ask twice. Other answers, free texts included, get
 * another key, because the server answers a known key with the stored inquiry, and would drop the changes. `signals` are
 * headers that describe how the form was filled in the first time; `isByHand` selects the sentence that was shown.
 */
export function submissionFor(
  answers: Answers,
  earlier: Submission | null,
  signals: Submission["headers"],
  now = Date.now(),
  isByHand = false,
): Submission {
  const consent = { "Form-Consent": String((isByHand ? CONSENT.by_hand : CONSENT).version) };
  if (earlier !== null && isSubmissionOf(earlier, answers) && now - Date.parse(earlier.createdAt) <= KEY_LIFETIME_MS) {
    return { ...earlier, headers: { ...earlier.headers, ...consent } };
  }
  const createdAt = new Date(now).toISOString();
  const headers = { ...signals, "Form-Additions": additionsHeader(answers), ...consent };
  return { key: newKey(), body: bodyOf(answers, createdAt), createdAt, headers };
}

/** Returns whether sending these answers now would result in the same submission. */
export function isSubmissionOf({ body, createdAt, headers }: Submission, answers: Answers): boolean {
  return body === bodyOf(answers, createdAt) && headers["Form-Additions"] === additionsHeader(answers);
}

/** Reads a stored submission; null for anything malformed. */
export function readSubmission(value: unknown): Submission | null {
  const { key, body, createdAt } = (value ?? {}) as Partial<Record<keyof Submission, unknown>>;
  const isWhole = [key, body, createdAt].every((text) => typeof text === "string");
  return isWhole ? { headers: {}, ...(value as Omit<Submission, "headers">) } : null;
}

/** The server takes an array of exactly one record. */
function bodyOf(answers: Answers, createdAt: string): string {
  return JSON.stringify([toRecord(answers, createdAt)]);
}

function additionsHeader(answers: Answers): string {
  return encodeURIComponent(additionsOf(answers));
}

/** Returns 128 random bits. Browsers offer `randomUUID` only on https and localhost. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
