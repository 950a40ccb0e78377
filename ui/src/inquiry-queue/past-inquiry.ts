import { readPrivatePage } from "../inquiry/private-page.ts";
import type { SendResult } from "../inquiry/send.ts";

/** How an inquiry left the queue. */
export type FinalResult = Extract<SendResult, { kind: "stored" | "refused" }> | { readonly kind: "expired" };

/** What is kept of an inquiry that has left the queue: nothing that the visitor has entered. */
export interface PastInquiry {
  readonly key: string;
  readonly result: FinalResult;
  /** Milliseconds since the epoch. */
  readonly settledAt: number;
}

/** Reads a stored result; null for anything malformed. */
export function readPastInquiry(value: unknown): PastInquiry | null {
  if (typeof value !== "object" || value === null) return null;
  const { key, result, settledAt } = value as Record<string, unknown>;
  const known = readResult(result);
  return typeof key === "string" && typeof settledAt === "number" && known !== null
    ? { key, result: known, settledAt }
    : null;
}

function readResult(value: unknown): FinalResult | null {
  if (typeof value !== "object" || value === null) return null;
  const { kind, reference, privatePage, firmsAsked, message } = value as Record<string, unknown>;
  switch (kind) {
    case "stored":
      return {
        kind,
        reference: typeof reference === "string" ? reference : null,
        privatePage: readPrivatePage(privatePage),
        firmsAsked: firmsAsked === true,
      };
    case "refused":
      return { kind, message: typeof message === "string" ? message : "" };
    case "expired":
      return { kind };
    default:
      return null;
  }
}
