import { ErrorLink, ErrorSummary, Notice } from "../components/notice.tsx";
import { Branch, Choose, If, slot } from "../template/template.tsx";
import { ServedField } from "./served-field.tsx";
import { Submit } from "../components/submit.tsx";

/** The answers by their values; `src/domain/commission/terms.rs` has the same. */
const OUTCOMES = [
  ["open", "Noch offen"],
  ["order", "Auftrag erhalten"],
  ["none", "Kein Auftrag"],
] as const;

const SUM = "auftragssumme";

const WHY_FIXED = "Ihre Zusage ist mehr als 90 Tage her. Deshalb lässt sich diese Angabe nicht mehr ändern.";

/** Asks a firm that has accepted for the outcome as long as it can be changed, then shows it. */
export function OutcomeForm() {
  return (
    <section className="private-page-outcome measure" aria-labelledby="ergebnis">
      <h2 id="ergebnis">Was ist daraus geworden?</h2>
      <If test="outcome.cost">
        <p className="measure" data-below="5">
          Bei Ihrer Zusage galt: {slot("outcome.cost")}
          <If test="outcome.credit"> Gutgeschrieben: {slot("outcome.credit.reason")}.</If>
        </p>
      </If>
      <If test='outcome.state == "open"' otherwise={<Fixed />}>
        <form method="post" action={slot("action")}>
          <fieldset className="stack" data-gap="line">
            <legend className="visually-hidden">Was ist daraus geworden?</legend>
            {OUTCOMES.map(([value, label]) => (
              <label className="check" key={value}>
                <Branch
                  test={`outcome.chosen == "${value}"`}
                  render={(isChosen) => <input type="radio" name="outcome" value={value} defaultChecked={isChosen} />}
                />{" "}
                {label}
              </label>
            ))}
          </fieldset>
          <ServedField
            id={SUM}
            label="Auftragssumme netto in Euro"
            hint="Nur wenn Sie den Auftrag erhalten haben, zum Beispiel 1.234,50."
            fault="outcome.error"
          >
            {(control) => (
              <input
                {...control}
                name="net_sum"
                type="text"
                inputMode="decimal"
                autoComplete="off"
                defaultValue={slot("outcome.net_sum")}
              />
            )}
          </ServedField>
          <p data-above="4" data-below="4">
            <Submit>Speichern</Submit>
          </p>
          <p className="hint">
            Ändern können Sie diese Angabe bis zum {slot("outcome.until")}. Ist der Monat, in dem Sie angenommen haben,
            schon abgerechnet, dann steht die Änderung in der Abrechnung des laufenden Monats.
          </p>
        </form>
      </If>
    </section>
  );
}

/** Shows the form's result at the top. */
export function OutcomeNotice() {
  return (
    <>
      <If test="outcome.error or outcome.is_refused">
        <ErrorSummary title="Ihre Angabe ist nicht gespeichert">
          <If test="outcome.error" otherwise={<p>{WHY_FIXED}</p>}>
            <ul className="error-summary-list">
              <ErrorLink field={SUM}>{slot("outcome.error")}</ErrorLink>
            </ul>
          </If>
        </ErrorSummary>
      </If>
      <If test="outcome.is_saved">
        <Notice>Danke, Ihre Angabe ist gespeichert.</Notice>
      </If>
    </>
  );
}

function Fixed() {
  return (
    <>
      <p className="measure" data-below="5">
        <Choose
          cases={{
            'outcome.chosen == "order"': `Auftrag erhalten, ${slot("outcome.net_sum")}\u00a0Euro netto.`,
            'outcome.chosen == "none"': "Kein Auftrag.",
          }}
          otherwise="Noch offen."
        />
      </p>
      <p className="hint">{WHY_FIXED}</p>
    </>
  );
}
