import { If } from "../components/if.tsx";

/** Browsers focus it when the page is loaded, with or without scripts: screen readers announce it, and continue from it. */
export const FOCUSED = { role: "alert", tabIndex: -1, autoFocus: true } as const;

/** Says at the top why the form was not taken. Each wrong answer leads to its field. */
export function ErrorSummary() {
  return (
    <>
      <If test="form.notice">
        <div className="error-summary" {...FOCUSED}>
          <h2 className="error-summary-heading">Ihre Anfrage wurde nicht gesendet</h2>
          <p>{"{{ form.notice }}"}</p>
        </div>
      </If>
      <If test="form.summary">
        <div className="error-summary" {...FOCUSED}>
          <h2 className="error-summary-heading">Bitte prüfen Sie Ihre Angaben</h2>
          {"{% for item in form.leads %}"}
          <p>{"{{ item }}"}</p>
          {"{% endfor %}"}
          <ul className="error-summary-list">
            {"{% for item in form.summary %}"}
            <li>
              <a href="#{{ item.field }}">{"{{ item.text }}"}</a>
            </li>
            {"{% endfor %}"}
          </ul>
        </div>
      </If>
    </>
  );
}
