import { useSyncExternalStore } from "react";
import {
  type DeliveryStatus,
  deliveryStatus,
  onDeliveryChange,
  privatePageOf,
} from "../inquiry-queue/browser-queue.ts";
import type { Arrival } from "./arrival.ts";

/** What is true of the visitor's inquiry, as far as this browser knows. */
export type InquiryStatus = DeliveryStatus | { readonly kind: "failed" };

/** Returns what became of the inquiry, and follows what the queue does with it. */
export function useInquiryStatus(arrival: Arrival): InquiryStatus {
  const key = arrival.kind === "pending" || arrival.kind === "submitted" ? arrival.key : null;
  // A text, because equal states of the queue must be the same value.
  const text = useSyncExternalStore(
    onDeliveryChange,
    () => (key === null ? null : JSON.stringify(deliveryStatus(key))),
    () => null,
  );
  const delivery = text === null ? null : (JSON.parse(text) as DeliveryStatus);
  switch (arrival.kind) {
    case "direct":
      return { kind: "stored", reference: null, privatePage: null };
    case "submitted":
      return {
        kind: "stored",
        reference: arrival.reference,
        privatePage: delivery?.kind === "stored" ? delivery.privatePage : null,
      };
    case "posted":
      return {
        kind: "stored",
        reference: arrival.reference,
        privatePage: arrival.privatePage ?? privatePageOf(arrival.reference ?? ""),
      };
    case "failed":
      return { kind: "failed" };
    case "pending":
      return delivery ?? { kind: "queued" };
  }
}
