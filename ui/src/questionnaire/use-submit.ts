import { useEffect, useRef, useState } from "react";
import { onReturn } from "../browser/lifecycle.ts";
import type { Answers } from "../inquiry/answers.ts";
import { isSubmissionOf, type Submission, submissionFor } from "../inquiry/submission.ts";
import { readSettings } from "../template/site-settings.ts";
import { holdBack, submit } from "./delivery/delivery.ts";
import { privatePageOf, removeQueued } from "./delivery/queue.ts";
import { type FailedResult, showFailure } from "./delivery/toasts.ts";
import { clearDraft } from "./draft.ts";
import { openThanks } from "./thanks.ts";
import type { DraftHandle } from "./use-draft.ts";

/** A failed submit, and what happened to the inquiry. */
export interface Failure {
  /** Its key in the queue, or null if it is not queued. */
  readonly queuedAs: string | null;
  /** The server will never accept it in this form. */
  readonly isRefused: boolean;
}

/**
 * Takes an inquiry from Absenden to the thank-you page or to step 5. Step 5 has no history entry of its own, so moving to
 * another entry, which `entry` identifies, leaves it.
 */
export function useSubmit({ answers, submission, setSubmission }: DraftHandle, entry: number) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isUnderWay = useRef(false);
  const isStored = useRef(false);

  useEffect(() => () => setFailure(null), [entry]);

  // The back/forward cache may restore the page with answers that have since been sent.
  useEffect(() => onReturn(() => isStored.current && window.location.reload()), []);

  // While the visitor corrects an inquiry, the earlier version must not be delivered.
  const corrected = submission !== null && !isSubmissionOf(submission, answers) ? submission.key : null;
  useEffect(() => (corrected === null ? undefined : holdBack(corrected)), [corrected]);

  const run = async (sent: Answers, signals: Submission["headers"]) => {
    const next = submissionFor(sent, submission, signals, undefined, readSettings().handling.by_hand);
    // From now on no tab sends the previous version. If it was stored but the response lost, the operator has both.
    if (submission !== null && submission.key !== next.key) removeQueued(submission.key);
    setSubmission(next, sent);
    const { result, isKept } = await submit(next);
    const { key } = next;
    if (isKept || result.kind === "stored") clearDraft();
    if (result.kind !== "stored") return fail(result, isKept ? key : null);
    isStored.current = true;
    const privatePage = privatePageOf(key) === null ? result.privatePage : null;
    openThanks({ status: "stored", key, reference: result.reference, firmsAsked: result.firmsAsked, privatePage });
  };

  const fail = (result: FailedResult, queuedAs: string | null) => {
    showFailure(result);
    setFailure({ queuedAs, isRefused: result.kind === "refused" });
  };

  /** Sends answers, which must be valid. Meanwhile, further calls do nothing. */
  const start = (sent: Answers, signals: Submission["headers"]) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSending(true);
    void run(sent, signals)
      .catch(() => fail({ kind: "unreachable" }, null))
      .finally(() => {
        isUnderWay.current = false;
        // A stored inquiry stays locked until the thank-you page opens.
        setSending(isStored.current);
      });
  };

  /** Shows the form again instead of step 5. */
  const review = () => setFailure(null);

  return { isSending, failure, start, review };
}
