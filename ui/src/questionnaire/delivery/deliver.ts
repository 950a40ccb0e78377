import { browserStorage } from "../../browser/storage.ts";
import { takeAbandonedKey } from "../../inquiry-queue/abandoned-while-sending.ts";
import { onSettled, startDelivery } from "../../inquiry-queue/browser-queue.ts";
import { showResult } from "../../inquiry-queue/result-toast.ts";
import { clearDraft, hasDraft } from "../draft.ts";
import { leftFormToast } from "../failure-toasts.ts";
import { showToast } from "../../enhancements/toast/store.ts";

const FORM_PATH = "/fragebogen";

/**
 * Delivers inquiries that could not be sent earlier, on whatever page the visitor is, and tells how that ended. Visitors
 * who have left the form while it was sending get the result, too.
 */
export function deliver(): void {
  const key = takeAbandonedKey();
  // The form itself, opened again, shows the answers.
  const abandonedKey = window.location.pathname === FORM_PATH ? null : key;
  const storage = browserStorage("sessionStorage");

  onSettled((settled, result) => {
    window.dispatchEvent(new Event("inquiry-settled")); // the thank-you page listens
    if (settled !== abandonedKey || result.kind === "expired") return showResult(result);
    if (result.kind === "refused")
      return showToast(leftFormToast(result, { isQueued: false, isDraftStored: hasDraft(storage) }));
    clearDraft(storage);
    showResult(result);
  });
  // The thank-you page to which the failure itself leads is no new visit.
  const hasJustFailed = document.querySelector("[data-just-failed]") !== null;
  startDelivery(hasJustFailed ? "timer" : "page-open", (failed, result) => {
    if (failed !== abandonedKey) return;
    clearDraft(storage);
    showToast({ ...leftFormToast(result, { isQueued: true, isDraftStored: false }), group: "left" });
  });
}
