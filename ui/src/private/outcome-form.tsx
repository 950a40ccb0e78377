import type { ReactNode } from "react";
import { ANNOUNCED } from "../components/announced.ts";
import { If } from "../components/if.tsx";
import { FOCUSED } from "../questionnaire/error-summary.tsx";
import { Choose, slot } from "./template.tsx";

/** The answers by their values; `src/domain/commission/outcome.rs` has the same. */
const OUTCOMES = [
  ["open", "Noch offen"],
  ["order", "Auftrag erhalten"],
  ["none", "Kein Auftrag"],
] as const;

const SUM = "auftragssumme";

/** Asks a firm that has accepted for the outcome, as long as that can be changed; then shows it. */
export function OutcomeForm() {
  return (
    <section className="private-page-outcome" aria-labelledby="ergebnis">
      <h2 id="ergebnis">Was ist daraus geworden?</h2>
      <If test="outcome.cost">
        <p className="private-page-text">Bei Ihrer Zusage galt: {slot("outcome.cost")}</p>
      </If>
      <If test='outcome.state == "open"' otherwise={<Fixed />}>
        <form method="post" action={slot("action")}>
          <fieldset className="private-page-outcomes">
            <legend className="visually-hidden">Was ist daraus geworden?</legend>
            {OUTCOMES.map(([value, label]) => (
              <label className="private-page-choice" key={value}>
                <Radio value={value} /> {label}
              </label>
            ))}
          </fieldset>
          <div className="field" data-invalid={`{{ "true" if outcome.error else "false" }}`}>
            <label className="field-label" htmlFor={SUM}>
              Auftragssumme netto in Euro
            </label>
            <p className="field-hint" id={`${SUM}-hinweis`}>
              Nur wenn Sie den Auftrag erhalten haben, zum Beispiel 1.234,50.
            </p>
            <If test="outcome.error">
              <p className="field-error" id={`${SUM}-fehler`}>
                {slot("outcome.error")}
              </p>
            </If>
            <input
              className="field-input"
              id={SUM}
              name="net_sum"
              type="text"
              inputMode="decimal"
              autoComplete="off"
              aria-invalid={`{{ "true" if outcome.error else "false" }}` as "true"}
              aria-describedby={`{{ "${SUM}-fehler " if outcome.error else "" }}${SUM}-hinweis`}
              defaultValue={slot("outcome.net_sum")}
            />
          </div>
          <p className="private-page-submit">
            <button className="button-plain" type="submit">
              Speichern
            </button>
          </p>
          <p className="field-hint">
            Ändern können Sie diese Angabe bis zum {slot("outcome.until")}, aber nur, solange der Monat, in dem Sie
            angenommen haben, nicht abgerechnet ist.
          </p>
        </form>
      </If>
    </section>
  );
}

/** Shows the result of the form at the top. */
export function OutcomeNotice() {
  return (
    <>
      <If test="outcome.error">
        <div className="error-summary" {...FOCUSED}>
          <h2 className="error-summary-heading">Ihre Angabe ist nicht gespeichert</h2>
          <ul className="error-summary-list">
            <li>
              <a href={`#${SUM}`}>{slot("outcome.error")}</a>
            </li>
          </ul>
        </div>
      </If>
      <If test="outcome.is_refused">
        <div className="error-summary" {...FOCUSED}>
          <h2 className="error-summary-heading">Ihre Angabe ist nicht gespeichert</h2>
          <p>
            <WhyFixed />
          </p>
        </div>
      </If>
      <If test="outcome.is_saved">
        <p className="private-page-notice" {...ANNOUNCED}>
          Danke, Ihre Angabe ist gespeichert.
        </p>
      </If>
    </>
  );
}

function Radio({ value }: { value: string }) {
  const input = (isChosen: boolean): ReactNode => (
    <input type="radio" name="outcome" value={value} {...(isChosen && { defaultChecked: true })} />
  );
  return (
    <If test={`outcome.chosen == "${value}"`} otherwise={input(false)}>
      {input(true)}
    </If>
  );
}

function Fixed() {
  return (
    <>
      <p className="private-page-text">
        <Choose
          cases={{
            'outcome.chosen == "order"': `Auftrag erhalten, ${slot("outcome.net_sum")}\u00a0Euro netto.`,
            'outcome.chosen == "none"': "Kein Auftrag.",
          }}
          otherwise="Noch offen."
        />
      </p>
      <p className="field-hint">
        <WhyFixed />
      </p>
    </>
  );
}

function WhyFixed() {
  return (
    <Choose
      cases={{
        'outcome.state == "closed"':
          "Der Monat, in dem Sie die Anfrage angenommen haben, ist abgerechnet. Deshalb lässt sich diese Angabe nicht mehr ändern.",
      }}
      otherwise="Sie haben die Anfrage vor mehr als 90 Tagen angenommen. Deshalb lässt sich diese Angabe nicht mehr ändern."
    />
  );
}
