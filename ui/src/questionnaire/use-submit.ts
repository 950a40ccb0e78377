import { useEffect, useRef, useState } from "react";
import { onReturn, watchUnloading } from "../browser/lifecycle.ts";
import type { Answers } from "../inquiry/answers.ts";
import type { BotSignals } from "../inquiry/bot-signals.ts";
import { isSubmissionOf, type Submission, submissionFor } from "../inquiry/submission.ts";
import { holdBack, onSettled, privatePageOf, submit, withdraw } from "../inquiry-queue/browser-queue.ts";
import { showResult } from "../inquiry-queue/result-toast.ts";
import { openThanks } from "./thanks.ts";
import { showToast } from "../enhancements/toast/store.ts";
import { type FailedResult, failureToast, leftFormToast } from "./failure-toasts.ts";
import type { DraftHandle } from "./use-draft.ts";

/** A failed submit, and what happened to the inquiry. */
export interface Failure {
  /** Its key in the queue, or null if it is not there. */
  readonly queuedAs: string | null;
  /** The server will never accept it as it is. */
  readonly isRefused: boolean;
}

export interface Submit {
  readonly isSending: boolean;
  readonly failure: Failure | null;
  /** Sends answers, which must be valid. While they are being sent, further calls do nothing. */
  readonly start: (answers: Answers, botSignals: BotSignals) => void;
  /** Shows the form again in place of step 5. */
  readonly review: () => void;
}

/**
 * Leads an inquiry from Absenden to the thank-you page or to step 5. Step 5 takes the place of the
 * history entry in which it came up, which `entry` tells from others; the browser's back button leads out of it.
 */
export function useSubmit(draft: DraftHandle, entry: number): Submit {
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<(Failure & { readonly entry: number }) | null>(null);
  const currentEntry = useRef(entry);
  const isUnderWay = useRef(false);
  const isStored = useRef(false);
  useQueuedSubmission(draft);

  useEffect(() => {
    currentEntry.current = entry;
  }, [entry]);

  // A browser may have kept the page with answers that are no longer to be sent.
  useEffect(() => onReturn(() => isStored.current && window.location.reload()), []);

  const run = async (answers: Answers, botSignals: BotSignals) => {
    const submission = prepare(answers, draft.submission, botSignals);
    draft.setSubmission(submission, answers);
    const stopWatching = watchUnloading();
    const { result, isKept } = await submit(submission);
    const isLeaving = stopWatching();
    if (result.kind !== "stored") {
      // A page that is reloaded shows the answers again, while the queue delivers them.
      if (isKept && !isLeaving) draft.clear();
      fail(result, isKept ? submission.key : null, isLeaving);
      return;
    }
    draft.clear();
    isStored.current = true;
    // Visitors who are leaving for another page get the message there.
    if (isLeaving) return showResult(result);
    const { key } = submission;
    const privatePage = privatePageOf(key) === null ? result.privatePage : null;
    openThanks({ status: "stored", key, reference: result.reference, firmsAsked: result.firmsAsked, privatePage });
  };

  const fail = (result: FailedResult, queuedAs: string | null, isLeaving = false) => {
    if (!isLeaving) showToast(failureToast(result));
    else showToast(leftFormToast(result, { isQueued: queuedAs !== null, isDraftStored: draft.isStored() }));
    setFailed({ queuedAs, isRefused: result.kind === "refused", entry: currentEntry.current });
  };

  const start = (answers: Answers, botSignals: BotSignals) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSending(true);
    void run(answers, botSignals)
      .catch(() => fail({ kind: "unreachable" }, null))
      .finally(() => {
        isUnderWay.current = false;
        // What was stored stays locked until the thank-you page has come.
        setSending(isStored.current);
      });
  };

  return {
    isSending,
    failure: failed?.entry === entry ? failed : null,
    start,
    review: () => setFailed(null),
  };
}

/** Returns the submission of the answers, and withdraws the earlier one if they have changed since. */
function prepare(answers: Answers, earlier: Submission | null, botSignals: BotSignals): Submission {
  const submission = submissionFor(answers, earlier, Date.now(), botSignals);
  if (earlier !== null && earlier.key !== submission.key) withdraw(earlier.key);
  return submission;
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
