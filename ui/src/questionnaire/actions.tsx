import { useId } from "react";
import { CONSENT } from "../inquiry/consent.ts";
import { TRUST } from "./questions.ts";
import { CONTACT_STEP, FIRST_STEP, type Step } from "./steps.ts";

interface ActionsProps {
  readonly step: Step;
  readonly isSending: boolean;
  readonly onBack: () => void;
}

export function Actions({ step, isSending, onBack }: ActionsProps) {
  const consentId = useId();
  const isLast = step === CONTACT_STEP;
  return (
    <>
      {isLast && (
        <p className="questionnaire-consent" id={consentId}>
          {CONSENT.text}
        </p>
      )}
      <div className="questionnaire-actions">
        <button type="submit" className="button" disabled={isSending} aria-describedby={isLast ? consentId : undefined}>
          {submitLabel(step, isSending)}
        </button>
        {step === FIRST_STEP ? null : (
          <button type="button" className="button-quiet" disabled={isSending} onClick={onBack}>
            Zurück
          </button>
        )}
      </div>
      {/* A screen reader does not notice that the button's label changes, because the button is disabled. */}
      <p className="visually-hidden" aria-live="polite">
        {isSending && "Ihre Anfrage wird gesendet."}
      </p>
      <p className="questionnaire-trust">{TRUST}</p>
    </>
  );
}

function submitLabel(step: Step, isSending: boolean): string {
  if (step !== CONTACT_STEP) return "Weiter";
  return isSending ? "Wird gesendet..." : "Absenden";
}
