import { readPrivatePage } from "../inquiry/private-page.ts";

/** How a visitor came to the thank-you page. It is part of the history entry, so that it survives a reload. */
export type Arrival =
  | { readonly kind: "direct" }
  /** The inquiry was stored. Its key leads to what else the queue knows of it; empty if that is nothing. */
  | { readonly kind: "submitted"; readonly key: string; readonly reference: string | null }
  /**
   * The plain form was sent, and the inquiry stored. Its private page is known by its reference, and stands here only where
   * the tab can store nothing (`inline/sent.js`).
   */
  | { readonly kind: "posted"; readonly reference: string | null; readonly privatePage: string | null }
  /** It was put into the queue under this key. */
  | { readonly kind: "pending"; readonly key: string }
  /** It was neither stored nor kept. */
  | { readonly kind: "failed" };

/** The navigation state that tells the thank-you page how a visitor came. */
export const arrivalState = {
  submitted: (key: string, reference: string | null) => ({ submitted: true, key, reference }),
  pending: (key: string) => ({ pending: true, key }),
  failed: { failed: true },
} as const;

/** Reads what `arrivalState` wrote; anything else is a direct visit. */
export function readArrival(state: unknown): Arrival {
  if (typeof state !== "object" || state === null) return { kind: "direct" };
  const { submitted, posted, pending, failed, reference, key, privatePage } = state as Record<string, unknown>;
  if (submitted === true) return { kind: "submitted", key: textOf(key) ?? "", reference: textOf(reference) };
  if (posted === true)
    return { kind: "posted", reference: textOf(reference), privatePage: readPrivatePage(privatePage) };
  if (pending === true) return { kind: "pending", key: textOf(key) ?? "" };
  return { kind: failed === true ? "failed" : "direct" };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
