import { useCallback, useEffect, useRef, useState } from "react";
import { watchUnloading } from "../browser/unloading.ts";
import type { BotSignals } from "../inquiry/bot-signals.ts";
import { isSubmissionOf, type Submission, submissionFor } from "../inquiry/submission.ts";
import { holdBack, onSettled, submit, withdraw } from "../inquiry-queue/browser-queue.ts";
import { showResult } from "../inquiry-queue/result-toast.ts";
import { useNavigate } from "react-router";
import { reportConversion } from "../tags/conversion.ts";
import { arrivalState } from "../thanks/arrival.ts";
import { showToast } from "../toast/store.ts";
import { type FailedResult, failureToast, leftFormToast } from "./failure-toasts.ts";
import type { DraftHandle } from "./use-draft.ts";

/** A submit that failed, and what became of the inquiry: its key in the queue, or null if it is not there. */
export interface Failure {
  readonly queuedAs: string | null;
}

export interface Submit {
  readonly isSending: boolean;
  readonly failure: Failure | null;
  /** Sends the answers, which must be valid. While they are being sent, further calls do nothing. */
  readonly start: (botSignals: BotSignals) => void;
}

/**
 * Leads an inquiry from Absenden to the thank-you page or to step 5. Step 5 takes the place of the
 * history entry in which it came up; the browser's back button leads out of it.
 */
export function useSubmit(draft: DraftHandle, entry: string): Submit {
  const navigate = useNavigate();
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<(Failure & { readonly entry: string }) | null>(null);
  const currentEntry = useRef(entry);
  const isUnderWay = useRef(false);
  const isShown = useIsShown();
  useQueuedSubmission(draft);

  useEffect(() => {
    currentEntry.current = entry;
  }, [entry]);

  const run = async (botSignals: BotSignals) => {
    const submission = prepare(draft, botSignals);
    draft.setSubmission(submission);
    const stopWatching = watchUnloading();
    const { result, isKept, isStoredNow } = await submit(submission);
    const isUnloading = stopWatching();
    if (result.kind !== "stored") {
      // A page that is reloaded shows the answers again, while the queue delivers them.
      if (isKept && !isUnloading) draft.clear();
      fail(result, isKept ? submission.key : null);
      return;
    }
    draft.clear();
    // Visitors who have gone elsewhere are told there, and not taken away.
    if (isShown())
      void navigate("/danke", { replace: true, state: arrivalState.submitted(submission.key, result.reference) });
    else showResult(result);
    // Now that the address is that of the thank-you page.
    if (isStoredNow) reportConversion();
  };

  const fail = (result: FailedResult, queuedAs: string | null) => {
    if (isShown()) showToast(failureToast(result));
    else showToast(leftFormToast(result, { isQueued: queuedAs !== null, isDraftStored: draft.isStored() }));
    setFailed({ queuedAs, entry: currentEntry.current });
  };

  const start = (botSignals: BotSignals) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSending(true);
    void run(botSignals)
      .catch(() => fail({ kind: "unreachable" }, null))
      .finally(() => {
        isUnderWay.current = false;
        setSending(false);
      });
  };

  return { isSending, failure: failed?.entry === entry ? failed : null, start };
}

/** Returns the submission of the answers, and withdraws the earlier one if they have changed since. */
function prepare({ answers, submission: earlier }: DraftHandle, botSignals: BotSignals): Submission {
  const submission = submissionFor(answers, earlier, Date.now(), botSignals);
  if (earlier !== null && earlier.key !== submission.key) withdraw(earlier.key);
  return submission;
}

/** Returns a function that says whether the visitor is still at the form. */
function useIsShown(): () => boolean {
  const path = useRef<string | null>(null);
  useEffect(() => {
    path.current = window.location.pathname;
    return () => {
      path.current = null;
    };
  }, []);
  // The address changes first: until the next page has come, the form stays on the screen.
  return useCallback(() => path.current === window.location.pathname, []);
}

/**
 * Keeps form and queue in step, as long as the form's last submission may wait there. While the visitor corrects the
 * answers, it is not delivered as it was; when it has been delivered, the draft is done with.
 */
function useQueuedSubmission({ answers, submission, clear }: DraftHandle): void {
  const key = submission?.key ?? null;
  const isCorrected = submission !== null && !isSubmissionOf(submission, answers);

  useEffect(() => (key !== null && isCorrected ? holdBack(key) : undefined), [key, isCorrected]);

  const clearDraft = useRef(clear);
  useEffect(() => {
    clearDraft.current = clear;
  }, [clear]);
  useEffect(() => {
    if (key === null || isCorrected) return undefined;
    return onSettled((settled, { kind }) => {
      if (settled === key && kind === "stored") clearDraft.current();
    });
  }, [key, isCorrected]);
}
