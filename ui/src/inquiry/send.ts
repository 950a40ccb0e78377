import { readPrivatePage } from "./private-page.ts";
import type { Submission } from "./submission.ts";

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
      /** Firms were asked, or would have been had the inquiry not been held back. */
      readonly firmsAsked: boolean;
    }
  /** The server will never accept this inquiry. */
  | { readonly kind: "refused"; readonly message: string }
  /** The server cannot accept it now. `waitMs` is its Retry-After, else 0. */
  | { readonly kind: "busy"; readonly message: string; readonly waitMs: number }
  /** No response, or none from the server itself: no network, a timeout, a proxy's page. */
  | { readonly kind: "unreachable" };

const INQUIRIES_URL = "/rest/v1/inquiries";

/** Long enough for a phone at the edge of its network, short enough that visitors do not give up on "Wird gesendet...". */
export const SEND_TIMEOUT_MS = 15_000;

/** How much of the id the visitor sees: enough to find the inquiry, short enough to read out. */
const REFERENCE_LENGTH = 12;

/** Sends an inquiry once. Never throws. */
export async function send({ key, body, headers }: Submission): Promise<SendResult> {
  try {
    const response = await fetch(INQUIRIES_URL, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        Prefer: "return=representation",
        ...headers,
      },
      body,
      redirect: "error",
      // The request continues when the tab is closed. Browsers allow 64 KiB for that; the server takes 16.
      keepalive: true,
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    return await resultOf(response);
  } catch {
    return { kind: "unreachable" };
  }
}

async function resultOf(response: Response): Promise<SendResult> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => null); // optional in a 201
  if (status === 201) {
    return {
      kind: "stored",
      reference: referenceIn(body),
      privatePage: readPrivatePage(headers.get("Location")),
      firmsAsked: headers.get("Firms-Asked") === "?1",
    };
  }
  // 408: the request arrived too slowly; the next one may not.
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: "busy", message: messageIn(body, status), waitMs: waitOf(headers.get("Retry-After") ?? "") };
  }
  if (status < 400 || !isServersError(body)) return { kind: "unreachable" };
  return { kind: "refused", message: messageIn(body, status) };
}

/** Distinguishes the server's own refusal from the page of a proxy, a firewall or a hotel's network. */
function isServersError(body: unknown): boolean {
  const { code, message } = Object(body) as Record<string, unknown>;
  return typeof code === "string" && typeof message === "string";
}

function referenceIn(body: unknown): string | null {
  const { id } = Object(Array.isArray(body) ? body[0] : body) as Record<string, unknown>;
  return typeof id === "string" && id !== "" ? id.slice(-REFERENCE_LENGTH) : null;
}

function messageIn(body: unknown, status: number): string {
  const { message } = Object(body) as Record<string, unknown>;
  return typeof message === "string" && message !== "" ? message : `Der Server meldet den Fehler ${status}.`;
}

/** Returns Retry-After in milliseconds; it contains seconds or a date (RFC 9110, section 10.2.3). */
function waitOf(header: string): number {
  if (/^[0-9]+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
