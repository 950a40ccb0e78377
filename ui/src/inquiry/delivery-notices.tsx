import { useEffect } from "react";
import { showToast } from "../toast/store.ts";
import type { Settlement } from "./delivery.ts";
import { onSettled, startDelivery } from "./post-office.ts";

/** Delivers inquiries that could not be sent earlier, on whatever page the visitor is, and tells how that ended. */
export function DeliveryNotices() {
  useEffect(() => onSettled((_letter, settlement) => notify(settlement)), []);
  useEffect(startDelivery, []);
  return null;
}

function notify(settlement: Settlement): void {
  switch (settlement.kind) {
    case "stored":
      return showToast({
        tone: "info",
        title: "Ihre Anfrage wurde übermittelt",
        description:
          settlement.reference === null
            ? "Sie erhalten Ihre Angebote in Kürze."
            : `Sie erhalten Ihre Angebote in Kürze. Ihre Referenznummer: ${settlement.reference}`,
      });
    case "refused":
      return showToast({
        tone: "error",
        title: "Ihre Anfrage wurde nicht angenommen",
        description: `Bitte stellen Sie Ihre Anfrage noch einmal. Grund: ${settlement.message}`,
      });
    case "expired":
      return showToast({
        tone: "error",
        title: "Ihre Anfrage konnte nicht übermittelt werden",
        description: "Sie ist sieben Tage alt und wurde von diesem Gerät gelöscht. Bitte stellen Sie sie noch einmal.",
      });
  }
}
