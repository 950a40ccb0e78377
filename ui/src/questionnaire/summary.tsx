import { type MouseEvent } from "react";
import { followedLink } from "../browser/followed-link.ts";
import type { Answers } from "../inquiry/answers.ts";
import { pushStep } from "./step-history.ts";
import type { Step } from "./steps.ts";
import { summaryLines } from "./summary-lines.ts";

/** The answers, to be checked before they are sent. Every line leads back to its question. */
export function Summary({ answers }: { readonly answers: Answers }) {
  const open = (event: MouseEvent, step: Step) => {
    if (!followedLink(event.nativeEvent)) return;
    event.preventDefault();
    pushStep(step, { fromSummary: true });
  };
  return (
    <section className="summary" aria-labelledby="summary-heading">
      <h2 className="summary-heading" id="summary-heading">
        Ihre Angaben
      </h2>
      <dl className="summary-list">
        {summaryLines(answers).map(({ step, name, text }) => (
          <div className="summary-line" key={name}>
            <dt className="summary-name">{name}</dt>
            <dd className="summary-text">{text}</dd>
            <dd className="summary-action">
              <a href={`?step=${step}`} aria-label={`${name} ändern`} onClick={(event) => open(event, step)}>
                Ändern
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
