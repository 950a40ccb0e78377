import type { SendResult } from "../inquiry/send.ts";
import type { ToastContent } from "../enhancements/toast/store.ts";

export type FailedResult = Exclude<SendResult, { kind: "stored" }>;

/** The group of toasts that step 5 explains. */
export const FAILURE_TOASTS = "failure";

/** Returns the toast of a failed submit. Step 5 says what happens to the inquiry. */
export function failureToast(result: FailedResult): ToastContent {
  if (result.kind === "unreachable") {
    return {
      tone: "error",
      title: "Unerwarteter Fehler",
      description: "Ein unerwarteter Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.",
      group: FAILURE_TOASTS,
    };
  }
  return {
    tone: "error",
    title: "Fehler beim Speichern",
    description: `Es gab einen Fehler beim Speichern Ihrer Anfrage: ${result.message}`,
    group: FAILURE_TOASTS,
  };
}

interface Whereabouts {
  readonly isQueued: boolean;
  readonly isDraftStored: boolean;
}

/** Returns the toast for visitors who have left the form: nothing else tells them what happens to the inquiry. */
export function leftFormToast(result: FailedResult, { isQueued, isDraftStored }: Whereabouts): ToastContent {
  if (isQueued) {
    return {
      tone: "error",
      title: "Ihre Anfrage konnte noch nicht übermittelt werden",
      description: "Sie ist auf diesem Gerät gespeichert und wird automatisch erneut gesendet.",
    };
  }
  const advice = isDraftStored
    ? "Ihre Angaben stehen noch im Fragebogen. Bitte senden Sie sie dort erneut ab."
    : "Bitte stellen Sie Ihre Anfrage noch einmal.";
  if (result.kind === "refused") {
    return {
      tone: "error",
      title: "Ihre Anfrage wurde nicht angenommen",
      description: `${advice} Grund: ${result.message}`,
    };
  }
  return { tone: "error", title: "Ihre Anfrage konnte nicht übermittelt werden", description: advice };
}
