import { CONSENT } from "../inquiry/rules.ts";
import { IfSetting } from "../template/settings.tsx";
import { CONTACT_STEP, FIRST_STEP, type Step } from "./steps.ts";

const CONSENT_ID = "einwilligung";

interface ActionsProps {
  readonly step: Step;
  readonly isSending: boolean;
  readonly onBack: () => void;
}

/** The buttons below a question. Their classes mark the ones for showing one question at a time. */
export function Actions({ step, isSending, onBack }: ActionsProps) {
  const isLast = step === CONTACT_STEP;
  return (
    <>
      {isLast && (
        <p className="questionnaire-consent small" id={CONSENT_ID}>
          <IfSetting name="handling.by_hand" otherwise={CONSENT.text}>
            {CONSENT.by_hand.text}
          </IfSetting>
        </p>
      )}
      <div className={`questionnaire-actions cluster${isLast ? "" : " questionnaire-alone"}`}>
        <button
          type="submit"
          className="button"
          disabled={isSending}
          aria-describedby={isLast ? CONSENT_ID : undefined}
        >
          {submitLabel(step, isSending)}
        </button>
        {step === FIRST_STEP ? null : (
          <button
            type="button"
            className="button-quiet questionnaire-alone"
            data-back=""
            disabled={isSending}
            onClick={onBack}
          >
            Zurück
          </button>
        )}
      </div>
      {/* Announces sending, because screen readers miss changes to the label of a disabled button. */}
      <p className="visually-hidden" aria-live="polite">
        {isSending && "Ihre Anfrage wird gesendet."}
      </p>
      {!isLast && (
        <p className="hint questionnaire-alone" data-above="3">
          Kostenlos und unverbindlich. Ihre Kontaktdaten erhalten höchstens drei Fachbetriebe.
        </p>
      )}
    </>
  );
}

function submitLabel(step: Step, isSending: boolean): string {
  if (step !== CONTACT_STEP) return "Weiter";
  return isSending ? "Wird gesendet..." : "Absenden";
}
