import type { ReactNode } from "react";
import { Progress } from "../progress.tsx";
import { TRUST } from "../questions.ts";
import { CONTACT_STEP, FIRST_STEP, type Step } from "../steps.ts";

interface Props {
  readonly step: Step;
  readonly children: ReactNode;
}

/** One question of the plain form, and what stands around it while it is shown alone. */
export function PlainStep({ step, children }: Props) {
  return (
    <div className="plain-form-step" data-step={step}>
      <Progress step={step} id={`fortschritt-${step}`} className="plain-form-alone" />
      <div className="questionnaire-stage" data-visible="true">
        {children}
        {step === CONTACT_STEP ? null : (
          <>
            <div className="questionnaire-actions plain-form-alone">
              <button type="submit" className="button">
                Weiter
              </button>
              {step === FIRST_STEP ? null : (
                <button type="button" className="button-quiet" data-back="">
                  Zurück
                </button>
              )}
            </div>
            <p className="questionnaire-trust plain-form-alone">{TRUST}</p>
          </>
        )}
      </div>
    </div>
  );
}
