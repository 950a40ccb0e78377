import { CONTACT_STEP, QUESTIONS, STEPS, type Step } from "./steps.ts";

/** This text describes the heading of each step, so that screen readers announce the progress. */
export const PROGRESS_ID = "fortschritt";

interface ProgressProps {
  readonly step: Step;
  readonly id: string;
}

/** A line with a station for each step. The bar ends at the current one: step/4 of the way. */
export function Progress({ step, id }: ProgressProps) {
  return (
    <div className="progress questionnaire-alone">
      <p className="progress-text hint" id={id}>
        {`Schritt ${step + 1} von ${STEPS.length}`}
      </p>
      <div
        className="progress-track"
        // A <progress> cannot look like this in every browser.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={(step / CONTACT_STEP) * 100}
      >
        {/* The policy forbids inline styles in served pages, but not this attribute. */}
        <svg className="progress-bar" width={`${(step / CONTACT_STEP) * 100}%`} />
      </div>
      <ol className="progress-steps hint" aria-hidden="true">
        {STEPS.map((one) => (
          <li key={one} aria-current={one === step ? "step" : undefined}>
            <span>{QUESTIONS[one].label}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
