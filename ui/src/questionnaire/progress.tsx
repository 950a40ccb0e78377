import { percentOf, progressText, STATIONS, type Step } from "./steps.ts";

/** The heading of each step is described by this text, so that a screen reader hears how far it is. */
export const PROGRESS_ID = "questionnaire-progress";

/** A line with five stations, at which the bar ends as the spec wants it: step/4 of the way. */
export function Progress({ step }: { readonly step: Step }) {
  const percent = percentOf(step);
  return (
    <div className="progress">
      <p className="progress-text" id={PROGRESS_ID}>
        {progressText(step)}
      </p>
      <div
        className="progress-track"
        // A <progress> cannot be given the width, the look and the name that are wanted in every browser.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="progressbar"
        aria-labelledby={PROGRESS_ID}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className="progress-bar" style={{ width: `${percent}%` }} />
      </div>
      <ol className="progress-stations" aria-hidden="true">
        {STATIONS.map((name, station) => (
          <li key={name} data-state={station < step ? "passed" : station === step ? "here" : undefined}>
            <span>{name}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
