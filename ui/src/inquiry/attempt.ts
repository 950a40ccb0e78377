import type { Answers } from "./answers.ts";
import { newIdempotencyKey } from "./key.ts";
import { toRecord } from "./record.ts";
import type { Report } from "./report.ts";

/** One inquiry on its way to the server. Sent again it keeps its key and every byte, so it can be stored only once. */
export interface Attempt {
  readonly key: string;
  readonly body: string;
  /** RFC 3339, UTC: the `created_at` within the body. */
  readonly createdAt: string;
  /** How the form was filled in when these answers were sent first; absent in what an earlier version kept. */
  readonly report?: Report;
}

/**
 * The attempt to send these answers: the earlier one when nothing was changed since. A visitor who reloads while the
 * inquiry is under way, and sends again, therefore does not ask twice.
 */
export function attemptFor(answers: Answers, earlier: Attempt | null, now: number, report?: Report): Attempt {
  if (earlier !== null && bodyOf(answers, earlier.createdAt) === earlier.body) {
    return earlier;
  }
  const createdAt = new Date(now).toISOString();
  const attempt = { key: newIdempotencyKey(), body: bodyOf(answers, createdAt), createdAt };
  return report === undefined ? attempt : { ...attempt, report };
}

/** The server takes an array of exactly one record (spec section 7). */
function bodyOf(answers: Answers, createdAt: string): string {
  return JSON.stringify([toRecord(answers, createdAt)]);
}
