import { CONTACT_STEP, QUESTIONS, STEPS, type Step } from "./steps.ts";

/** The heading of each step is described by this text, so that screen readers say how far it is. */
export const PROGRESS_ID = "fortschritt";

interface ProgressProps {
  readonly step: Step;
  readonly id: string;
}

/** A line with a mark for each step. The bar ends at the mark: step/4 of the way. */
export function Progress({ step, id }: ProgressProps) {
  return (
    <div className="progress questionnaire-alone">
      <p className="progress-text hint" id={id}>
        {`Schritt ${step + 1} von ${STEPS.length}`}
      </p>
      <div
        className="progress-track"
        // A <progress> cannot have this look in every browser.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={(step / CONTACT_STEP) * 100}
      >
        <div className="progress-bar" data-step={step} />
      </div>
      <ol className="progress-stations" aria-hidden="true">
        {STEPS.map((station) => (
          <li key={station} data-state={station < step ? "passed" : station === step ? "here" : undefined}>
            <span>{QUESTIONS[station].label}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
