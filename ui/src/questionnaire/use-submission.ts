import { useEffect, useRef, useState } from "react";
import { useNavigate } from "../routing/router.ts";
import { type Attempt, attemptFor } from "../inquiry/attempt.ts";
import { keepForLater, send } from "../inquiry/post-office.ts";
import type { Report } from "../inquiry/report.ts";
import type { Outcome } from "../inquiry/submit.ts";
import { arrivalState } from "../thanks/arrival.ts";
import { showToast } from "../toast/store.ts";
import type { DraftHandle } from "./use-draft.ts";

/** A submit that failed, and what became of the inquiry: its key in the outbox, or null when it was not kept. */
export interface Failure {
  readonly keptAs: string | null;
}

export interface Submission {
  readonly isSending: boolean;
  readonly failure: Failure | null;
  /** Sends the answers, which must be in order. While they are under way, further calls do nothing. */
  readonly start: (report: Report) => void;
}

/**
 * The way of an inquiry from Absenden to the thank-you page or to step 5 (spec section 8). Step 5 takes the place of
 * the history entry it came up on; the browser's back button leads out of it.
 */
export function useSubmission(draft: DraftHandle, entry: string): Submission {
  const navigate = useNavigate();
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<(Failure & { readonly entry: string }) | null>(null);
  const currentEntry = useRef(entry);
  const isUnderWay = useRef(false);
  const isShown = useRef(true);

  useEffect(() => {
    currentEntry.current = entry;
  }, [entry]);

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const run = async (report: Report) => {
    const { attempt, outcome } = await sendDraft(draft, report);
    if (outcome.kind === "stored") {
      draft.clear();
      // A visitor who went elsewhere meanwhile is told there, not taken away.
      if (isShown.current) void navigate("/danke", { replace: true, state: arrivalState.submitted(outcome.reference) });
      else showToast({ tone: "info", title: "Ihre Anfrage wurde übermittelt" });
      return;
    }
    const isKept = outcome.kind !== "refused" && keepForLater(attempt, outcome);
    if (isKept) draft.clear();
    fail(outcome, isKept ? attempt.key : null);
  };

  const fail = (outcome: FailedOutcome, keptAs: string | null) => {
    showToast({ tone: "error", ...failureText(outcome) });
    setFailed({ keptAs, entry: currentEntry.current });
  };

  const start = (report: Report) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSending(true);
    void run(report)
      .catch(() => fail({ kind: "unreachable" }, null))
      .finally(() => {
        isUnderWay.current = false;
        setSending(false);
      });
  };

  return { isSending, failure: failed?.entry === entry ? failed : null, start };
}

async function sendDraft(
  { answers, attempt: earlier }: DraftHandle,
  report: Report,
): Promise<{ attempt: Attempt; outcome: Outcome }> {
  const attempt = attemptFor(answers, earlier.get(), Date.now(), report);
  earlier.set(attempt);
  return { attempt, outcome: await send(attempt) };
}

type FailedOutcome = Exclude<Outcome, { kind: "stored" }>;

/** The toast of a failed submit (spec section 8). */
function failureText(outcome: FailedOutcome): { title: string; description: string } {
  if (outcome.kind === "unreachable") {
    return {
      title: "Unerwarteter Fehler",
      description: "Ein unerwarteter Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.",
    };
  }
  return {
    title: "Fehler beim Speichern",
    description: `Es gab einen Fehler beim Speichern Ihrer Anfrage: ${outcome.message}`,
  };
}
