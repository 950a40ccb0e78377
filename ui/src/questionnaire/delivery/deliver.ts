import { startDelivery, takeAbandonedKey } from "../../inquiry-queue/delivery.ts";
import { showResult, showWaiting } from "../../inquiry-queue/toasts.ts";
import { clearDraft } from "../draft.ts";

const FORM_PATH = "/fragebogen";

/**
 * Delivers inquiries that could not be sent earlier, on whatever page the visitor is, and tells how that ended. Visitors
 * who have left the form while it was sending get the result, too.
 */
export function deliver(): void {
  const key = takeAbandonedKey();
  // The form itself, opened again, shows the answers.
  let inForm = window.location.pathname === FORM_PATH ? null : key;
  // The thank-you page to which the failure itself leads is no new visit.
  const hasJustFailed = document.querySelector("[data-just-failed]") !== null;
  const listener = {
    onSettled: (settled, result) => {
      window.dispatchEvent(new Event("inquiry-settled")); // the thank-you page listens
      if (settled === inForm && result.kind === "stored") clearDraft();
      showResult(result, settled === inForm);
    },
    onFailed: (failed) => {
      if (failed !== inForm) return;
      clearDraft();
      inForm = null;
      showWaiting();
    },
  } satisfies Parameters<typeof startDelivery>[0];
  startDelivery(listener, hasJustFailed ? "timer" : "page-open");
}
