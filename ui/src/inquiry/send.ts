import { botSignalHeaders } from "./bot-signals.ts";
import { readPrivatePage } from "./private-page.ts";
import { declarationHeaders, type Submission } from "./submission.ts";

/** The result of sending an inquiry once. */
export type SendResult =
  /**
   * The server has stored it. The reference is null if the server did not return the record, and the path of the
   * visitor's private page if there is none.
   */
  | {
      readonly kind: "stored";
      readonly reference: string | null;
      readonly privatePage: string | null;
      /** Firms were asked, or would have been if the inquiry were not held back. */
      readonly firmsAsked: boolean;
    }
  /** The server will never accept this inquiry. */
  | { readonly kind: "refused"; readonly message: string }
  /** The server cannot accept it now. `waitMs` is what its Retry-After asked for. */
  | { readonly kind: "busy"; readonly message: string; readonly waitMs: number | null }
  /** There is no answer, or not one of the server's: no network, too late, a proxy's page. */
  | { readonly kind: "unreachable" };

export interface Connection {
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const INQUIRIES_URL = "/rest/v1/inquiries";

/** Long enough for a phone at the edge of its network, short enough that visitors do not give up on "Wird gesendet...". */
export const SEND_TIMEOUT_MS = 15_000;

/** How much of the id the visitor is shown: enough to find the inquiry, short enough to read out. */
const REFERENCE_LENGTH = 12;

/** Sends an inquiry once. Never throws. */
export async function send(submission: Submission, connection: Connection): Promise<SendResult> {
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), SEND_TIMEOUT_MS);
  try {
    const response = await connection.fetch(INQUIRIES_URL, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        "Idempotency-Key": submission.key,
        Prefer: "return=representation",
        ...botSignalHeaders(submission.botSignals),
        ...declarationHeaders(submission),
      },
      body: submission.body,
      redirect: "error",
      // The request continues when the tab is closed. Browsers allow 64 KiB for that; the server takes 16.
      keepalive: true,
      signal: abort.signal,
    });
    return await resultOf(response, connection.now());
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(deadline);
  }
}

async function resultOf(response: Response, now: number): Promise<SendResult> {
  const { status } = response;
  const body = await readJson(response);
  if (status === 201) {
    return {
      kind: "stored",
      reference: referenceIn(body),
      privatePage: readPrivatePage(response.headers.get("Location")),
      firmsAsked: response.headers.get("Firms-Asked") === "?1",
    };
  }
  if (status === 429 || status >= 500) {
    return { kind: "busy", message: messageIn(body, status), waitMs: waitOf(response, now) };
  }
  if (status < 400 || !isServersError(body)) return { kind: "unreachable" };
  // The request arrived too slowly; the next one may not.
  if (status === 408) return { kind: "busy", message: messageIn(body, status), waitMs: null };
  return { kind: "refused", message: messageIn(body, status) };
}

/** Tells the server's own refusal from the page of a proxy, a firewall or a hotel's network. */
function isServersError(body: unknown): boolean {
  return typeof property(body, "code") === "string" && typeof property(body, "message") === "string";
}

/** Reads the body; null if it is not JSON. A 201 needs no body. */
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

/** Returns Retry-After in milliseconds; it holds seconds or a date (RFC 9110, section 10.2.3). */
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
