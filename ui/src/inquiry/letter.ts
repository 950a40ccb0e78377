import type { Attempt } from "./attempt.ts";
import { soundReport } from "./report.ts";
import type { Outcome } from "./submit.ts";

/** An inquiry that waits in the outbox. Times are milliseconds since the epoch. */
export interface Letter extends Attempt {
  readonly queuedAt: number;
  /** How often it was sent without success, the first time included. */
  readonly attempts: number;
  /** Never send before this time: the server asked for it by Retry-After. */
  readonly notBefore: number;
  /** Do not send before this time on our own account: back-off. A new visit or a new connection may. */
  readonly retryAt: number;
}

/** After this time the server no longer knows the key, and sending again could store the inquiry twice (contract.md). */
export const LETTER_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** The first pause is short, because most failures are a tunnel or a restart; the pauses double from there. */
export const FIRST_PAUSE_MS = 10_000;
/** The longest pause: a page left open over night asks four times an hour. */
export const LONGEST_PAUSE_MS = 15 * 60 * 1000;
/** A Retry-After beyond a day is a mistake of the server, and would lose the inquiry. */
export const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** A letter for an attempt that has just failed for the first time. */
export function letterFor(attempt: Attempt, outcome: Outcome, now: number, random: number): Letter {
  const fresh = { ...attempt, queuedAt: now, attempts: 0, notBefore: now, retryAt: now };
  return afterFailure(fresh, outcome, now, random);
}

/** The letter after one more attempt in vain. `random` (0 to 1) spreads the visitors of a server that was down. */
export function afterFailure(letter: Letter, outcome: Outcome, now: number, random: number): Letter {
  const wait = outcome.kind === "busy" ? (outcome.waitMs ?? 0) : 0;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** letter.attempts, LONGEST_PAUSE_MS);
  return {
    ...letter,
    attempts: letter.attempts + 1,
    notBefore: now + Math.min(wait, LONGEST_WAIT_MS),
    retryAt: now + pause * (1 + random / 2),
  };
}

export function isExpired(letter: Letter, now: number): boolean {
  return now - letter.queuedAt > LETTER_LIFETIME_MS;
}

/** Why a delivery is tried: the pause is over, or something gives new hope (a visit, a connection). */
export type Occasion = "pause-over" | "new-hope";

export function isDue(letter: Letter, now: number, occasion: Occasion): boolean {
  return now >= (occasion === "new-hope" ? letter.notBefore : dueAt(letter));
}

/** When the letter is to be sent while the page stays open. */
export function dueAt(letter: Letter): number {
  return Math.max(letter.notBefore, letter.retryAt);
}

/** Reads a stored letter; null for anything that is none, such as another version's or a broken one. */
export function parseLetter(text: string): Letter | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isLetter(value)) return null;
  const { report, ...letter } = value;
  return { ...letter, ...soundReport(report) };
}

const TEXTS = ["key", "body", "createdAt"] as const;
const NUMBERS = ["queuedAt", "attempts", "notBefore", "retryAt"] as const;

function isLetter(value: unknown): value is Letter {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    TEXTS.every((name) => typeof fields[name] === "string") && NUMBERS.every((name) => Number.isFinite(fields[name]))
  );
}
