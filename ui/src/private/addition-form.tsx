import { LIMITS } from "../inquiry/rules.ts";
import { If } from "../components/if.tsx";
import { slot } from "./template.tsx";

/** Renders the form for what the questionnaire did not ask. */
export function AdditionForm() {
  return (
    <section aria-labelledby="ergaenzen">
      <h2 id="ergaenzen">Fehlt etwas?</h2>
      <form className="private-page-addition" method="post" action={slot("action")}>
        <div className="field">
          <label className="field-label" htmlFor="storey">
            Stockwerk (freiwillig)
          </label>
          <p className="field-hint" id="storey-hint">
            Zum Beispiel „3. Stock“ oder „Dach“. Danach entscheidet ein Betrieb, ob eine Leiter reicht.
          </p>
          <input
            className="field-input"
            type="text"
            id="storey"
            name="storey"
            maxLength={LIMITS.free_text}
            autoComplete="off"
            aria-describedby="storey-hint"
            defaultValue={slot("storey")}
          />
        </div>
        <div className="field" data-invalid={`{{ "true" if notice == "too_long" else "false" }}`}>
          <label className="field-label" htmlFor="addition">
            Angaben ergänzen
          </label>
          <p className="field-hint" id="addition-hint">
            Zum Beispiel die Fläche, oder wann jemand da ist.{" "}
            <If test='state == "by_hand"' otherwise="Betriebe, die Ihre Anfrage haben, lesen diesen Text.">
              Wir lesen diesen Text.
            </If>{" "}
            Platz ist für {LIMITS.addition.toLocaleString("de-DE")} Zeichen. Bitte schreiben Sie weder Namen und
            Telefonnummern noch etwas über die Gesundheit von Personen hinein.
          </p>
          <If test='notice == "too_long"'>
            <p className="field-error" id="addition-error">
              Der Text ist zu lang. Bitte kürzen Sie ihn auf {LIMITS.addition.toLocaleString("de-DE")} Zeichen.
              Gespeichert ist noch nichts.
            </p>
          </If>
          <textarea
            className="field-input"
            id="addition"
            name="addition"
            rows={6}
            maxLength={LIMITS.addition}
            aria-invalid={`{{ "true" if notice == "too_long" else "false" }}` as "true"}
            aria-describedby={`{{ "addition-error " if notice == "too_long" else "" }}addition-hint`}
            defaultValue={slot("addition")}
          />
        </div>
        <p className="private-page-submit">
          <button className="button-plain" type="submit">
            Speichern
          </button>
        </p>
      </form>
    </section>
  );
}
