import { showToast } from "../../enhancements/toast/store.ts";
import type { SendResult } from "../../inquiry/send.ts";
import type { FinalResult } from "./queue.ts";

/** The group of toasts that step 5 explains. */
export const FAILURE_TOASTS = "failure";

/** Why a submit has failed. */
export type FailedResult = Exclude<SendResult, { kind: "stored" }>;

/** Tells the visitor that a submit has failed. Step 5 says what happens to the inquiry. */
export function showFailure(result: FailedResult): void {
  showToast({
    tone: "error",
    ...(result.kind === "unreachable"
      ? {
          title: "Unerwarteter Fehler",
          description: "Ein unerwarteter Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.",
        }
      : {
          title: "Fehler beim Speichern",
          description: `Es gab einen Fehler beim Speichern Ihrer Anfrage: ${result.message}`,
        }),
    group: FAILURE_TOASTS,
  });
}

/** Tells visitors who have left the form that the inquiry is waiting, because nothing else would. */
export function showWaiting(): void {
  showToast({
    tone: "error",
    title: "Ihre Anfrage konnte noch nicht übermittelt werden",
    description: "Sie ist auf diesem Gerät gespeichert und wird automatisch erneut gesendet.",
    group: "left",
  });
}

/** Tells the visitor, on any page, what happened to an inquiry, whose answers may still be in the form. */
export function showResult(result: FinalResult, isInForm: boolean): void {
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
    case "refused": {
      const advice = isInForm
        ? "Ihre Angaben stehen noch im Fragebogen. Bitte senden Sie sie dort erneut ab."
        : "Bitte stellen Sie Ihre Anfrage noch einmal.";
      return showToast({
        tone: "error",
        title: "Ihre Anfrage wurde nicht angenommen",
        description: `${advice} Grund: ${result.message}`,
      });
    }
    case "expired":
      return showToast({
        tone: "error",
        title: "Ihre Anfrage wird nicht mehr gesendet",
        // The last request may have arrived although its response did not.
        description:
          "Sie ist sieben Tage alt und wurde von diesem Gerät gelöscht. Haben Sie keine Angebote erhalten, stellen Sie sie bitte noch einmal.",
      });
  }
}
