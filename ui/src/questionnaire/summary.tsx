import { type MouseEvent } from "react";
import { useNavigate } from "react-router";
import { followedLink } from "../browser/followed-link.ts";
import type { Answers } from "../inquiry/answers.ts";
import { summaryLines } from "./summary-lines.ts";

/** The answers, to be checked before they are sent. Every line leads back to its question. */
export function Summary({ answers }: { readonly answers: Answers }) {
  const navigate = useNavigate();
  const open = (event: MouseEvent, search: string) => {
    if (!followedLink(event.nativeEvent)) return;
    event.preventDefault();
    void navigate({ search }, { state: { fromSummary: true } });
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
              <a href={`?step=${step}`} aria-label={`${name} ändern`} onClick={(event) => open(event, `?step=${step}`)}>
                Ändern
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
