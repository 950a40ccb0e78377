import { Link } from "../routing/router.ts";
import type { Answers } from "../inquiry/answers.ts";
import { summaryLines } from "./summary-lines.ts";

/** The answers, to be checked before they are sent. Every line leads back to its question. */
export function Summary({ answers }: { readonly answers: Answers }) {
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
              <Link to={{ search: `?step=${step}` }} state={{ fromSummary: true }} aria-label={`${name} ändern`}>
                Ändern
              </Link>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
