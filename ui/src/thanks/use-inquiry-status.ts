import { useSyncExternalStore } from "react";
import { type DeliveryStatus, deliveryStatus, onDeliveryChange } from "../outbox/browser-outbox.ts";
import type { Arrival } from "./arrival.ts";

/** What is true of the visitor's inquiry, as far as this browser knows. */
export type InquiryStatus = DeliveryStatus | { readonly kind: "failed" };

/** Returns what became of the inquiry, and follows what the outbox does with it. */
export function useInquiryStatus(arrival: Arrival): InquiryStatus {
  // A text, because equal states of the outbox must be the same value.
  const delivery = useSyncExternalStore(
    onDeliveryChange,
    () => (arrival.kind === "pending" ? JSON.stringify(deliveryStatus(arrival.key)) : null),
    () => null,
  );
  switch (arrival.kind) {
    case "direct":
      return { kind: "stored", reference: null };
    case "submitted":
      return { kind: "stored", reference: arrival.reference };
    case "failed":
      return { kind: "failed" };
    case "pending":
      return delivery === null ? { kind: "queued" } : (JSON.parse(delivery) as DeliveryStatus);
  }
}
