import { Field } from "../components/field.tsx";
import { LIMITS } from "../inquiry/rules.ts";
import { either, slot } from "../template/template.tsx";
import { ServedField } from "./served-field.tsx";
import { Submit } from "../components/submit.tsx";

const ROOM = `${LIMITS.addition.toLocaleString("de-DE")} Zeichen`;

/** Renders the form for details that the questionnaire does not ask for. */
export function AdditionForm() {
  return (
    <section aria-labelledby="ergaenzen">
      <h2 id="ergaenzen">Fehlt etwas?</h2>
      <form method="post" action={slot("action")}>
        <Field
          id="storey"
          label="Stockwerk (freiwillig)"
          hint="Zum Beispiel „3. Stock“ oder „Dach“. Danach entscheidet ein Betrieb, ob eine Leiter reicht."
        >
          {(control) => (
            <input
              {...control}
              type="text"
              name="storey"
              maxLength={LIMITS.free_text}
              autoComplete="off"
              defaultValue={slot("storey")}
            />
          )}
        </Field>
        <ServedField
          id="addition"
          label="Angaben ergänzen"
          hint={`Zum Beispiel die Fläche, oder wann jemand da ist. ${either('state == "by_hand"', "Wir lesen diesen Text.", "Wer Ihre Anfrage hat, liest diesen Text.")} Platz ist für ${ROOM}. Bitte schreiben Sie weder Namen und Telefonnummern noch etwas über die Gesundheit von Personen hinein.`}
          fault='notice == "too_long"'
          error={`Der Text ist zu lang. Bitte kürzen Sie ihn auf ${ROOM}. Gespeichert ist noch nichts.`}
        >
          {(control) => (
            <textarea
              {...control}
              name="addition"
              rows={6}
              maxLength={LIMITS.addition}
              defaultValue={slot("addition")}
            />
          )}
        </ServedField>
        <p data-above="4">
          <Submit>Speichern</Submit>
        </p>
      </form>
    </section>
  );
}
