import { browserStorage } from "../browser/storage.ts";
import { takeLeftKey } from "../outbox/left-while-sending.ts";
import { onSettled, startDelivery } from "../outbox/browser-outbox.ts";
import { showResult } from "../outbox/result-toast.ts";
import { clearDraft, hasDraft } from "../questionnaire/draft.ts";
import { leftFormToast } from "../questionnaire/failure-toasts.ts";
import { reportConversion } from "../tags/conversion.ts";
import { showToast } from "../toast/store.ts";

const FORM_PATH = "/fragebogen";

/**
 * Delivers inquiries that could not be sent earlier, on whatever page the visitor is, and tells how that ended. Visitors
 * who have left the form while it was sending are told what became of that, too.
 */
export function deliver(): void {
  const key = takeLeftKey();
  // The form itself, opened again, shows the answers.
  const left = window.location.pathname === FORM_PATH ? null : key;
  const storage = browserStorage("sessionStorage");

  onSettled((settled, result) => {
    if (result.kind === "stored") reportConversion();
    if (settled !== left || result.kind === "expired") return showResult(result);
    if (result.kind === "refused")
      return showToast(leftFormToast(result, { isQueued: false, isDraftStored: hasDraft(storage) }));
    clearDraft(storage);
    showResult(result);
  });
  startDelivery((failed, result) => {
    if (failed !== left) return;
    clearDraft(storage);
    showToast({ ...leftFormToast(result, { isQueued: true, isDraftStored: false }), group: "left" });
  });
}
