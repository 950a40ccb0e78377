import { showToast } from "../enhancements/toast/store.ts";
import type { FinalResult } from "./past-inquiry.ts";

/** Tells the visitor, on any page, what happened to an inquiry. */
export function showResult(result: FinalResult): void {
  switch (result.kind) {
    case "stored":
      return showToast({
        tone: "info",
        title: "Ihre Anfrage wurde übermittelt",
        description:
          result.reference === null
            ? "Vielen Dank, sie ist bei uns angekommen."
            : `Vielen Dank, sie ist bei uns angekommen. Ihre Referenznummer: ${result.reference}`,
        link: result.privatePage === null ? undefined : { href: result.privatePage, label: "Ihre Anfrage ansehen" },
      });
    case "refused":
      return showToast({
        tone: "error",
        title: "Ihre Anfrage wurde nicht angenommen",
        description: `Bitte stellen Sie Ihre Anfrage noch einmal. Grund: ${result.message}`,
      });
    case "expired":
      return showToast({
        tone: "error",
        title: "Ihre Anfrage wird nicht mehr gesendet",
        // The last request may have arrived although its answer did not.
        description:
          "Sie ist sieben Tage alt und wurde von diesem Gerät gelöscht. Haben Sie keine Angebote erhalten, stellen Sie sie bitte noch einmal.",
      });
  }
}
