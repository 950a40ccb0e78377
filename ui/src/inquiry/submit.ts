import type { Attempt } from "./attempt.ts";
import { reportHeaders } from "./report.ts";

/** What became of an attempt to send an inquiry. */
export type Outcome =
  /** Stored for good. The reference is missing when the server did not show the record. */
  | { readonly kind: "stored"; readonly reference: string | null }
  /** The server answered that it will never take this inquiry. */
  | { readonly kind: "refused"; readonly message: string }
  /** The server answered that it cannot take it now. `waitMs` is what its Retry-After asked for. */
  | { readonly kind: "busy"; readonly message: string; readonly waitMs: number | null }
  /** No answer of the server: no network, too late, or not what the server would say. */
  | { readonly kind: "unreachable" };

export interface Connection {
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const INQUIRIES_URL = "/rest/v1/inquiries";

/** Long enough for a phone at the edge of its network, short enough that nobody walks away from 'Wird gesendet...'. */
export const SUBMIT_TIMEOUT_MS = 15_000;

/** As many characters of the id as are told to the visitor: enough to find the inquiry, short enough to read out. */
const REFERENCE_LENGTH = 12;

/** Sends an inquiry once. Never throws: every way it can end is an Outcome. */
export async function submit(attempt: Attempt, connection: Connection): Promise<Outcome> {
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), SUBMIT_TIMEOUT_MS);
  try {
    const response = await connection.fetch(INQUIRIES_URL, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        "Idempotency-Key": attempt.key,
        Prefer: "return=representation",
        ...reportHeaders(attempt.report),
      },
      body: attempt.body,
      redirect: "error",
      signal: abort.signal,
    });
    return await outcomeOf(response, connection.now());
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(deadline);
  }
}

async function outcomeOf(response: Response, now: number): Promise<Outcome> {
  const { status } = response;
  const body = await readJson(response);
  if (status === 201) {
    return { kind: "stored", reference: referenceIn(body) };
  }
  if (status === 429 || status >= 500) {
    return { kind: "busy", message: messageIn(body, status), waitMs: waitOf(response, now) };
  }
  if (status >= 400) {
    return { kind: "refused", message: messageIn(body, status) };
  }
  return { kind: "unreachable" };
}

/** The body, or null where it is no JSON: a 201 without a body is a success, an error page of a proxy still an error. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function referenceIn(body: unknown): string | null {
  const record: unknown = Array.isArray(body) ? body[0] : body;
  const id = property(record, "id");
  return typeof id === "string" && id !== "" ? id.slice(-REFERENCE_LENGTH) : null;
}

function messageIn(body: unknown, status: number): string {
  const message = property(body, "message");
  return typeof message === "string" && message !== "" ? message : `Der Server meldet den Fehler ${status}.`;
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, section 10.2.3). */
function waitOf(response: Response, now: number): number | null {
  const header = response.headers.get("Retry-After")?.trim() ?? "";
  if (/^[0-9]+$/.test(header)) {
    return Number(header) * 1000;
  }
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
