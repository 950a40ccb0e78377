/** The result of a subscription to the newsletter. */
export type SubscribeResult =
  /** A mail with a link is on its way to the address. */
  | { readonly kind: "mailed" }
  /** Nothing was sent; the message says why. */
  | { readonly kind: "refused"; readonly message: string };

const NEWSLETTER_URL = "/rest/v1/newsletter";

/** As long as the questionnaire waits. */
const TIMEOUT_MS = 15_000;

const LATER = "Bitte versuchen Sie es später noch einmal.";

/** Asks the server to send a mail with which the owner of the address can subscribe. Never throws. */
export async function subscribe(email: string, send: typeof fetch): Promise<SubscribeResult> {
  try {
    const response = await send(NEWSLETTER_URL, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ email }),
      credentials: "omit",
      redirect: "error",
      // Leaving the page must not undo it.
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.status === 202 ? { kind: "mailed" } : { kind: "refused", message: await messageOf(response) };
  } catch {
    return { kind: "refused", message: LATER };
  }
}

/** Reads the server's German message. What a proxy answers instead is not for visitors. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== "object" || body === null) return LATER;
  const { code, message } = body as Record<string, unknown>;
  return typeof code === "string" && typeof message === "string" && message !== "" ? message : LATER;
}
