import { useEffect } from "react";
import { onSettled, startDelivery } from "./browser-outbox.ts";
import { showResult } from "./result-toast.ts";

/** Delivers inquiries that could not be sent earlier, on whatever page the visitor is, and tells how that ended. */
export function DeliveryNotices() {
  useEffect(() => onSettled((_key, result) => showResult(result)), []);
  useEffect(startDelivery, []);
  return null;
}
