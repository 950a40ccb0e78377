import { Choose, Each, either, If, slot } from "../template/template.tsx";
import { Field } from "../components/field.tsx";
import { Question } from "./question.tsx";
import { PostButton, Submit } from "../components/submit.tsx";

const INQUIRY = `/anfragen/${slot("inquiry.id")}`;

/** Releases a suspected inquiry. */
export function Release() {
  return (
    <If test="inquiry.suspected and has_person">
      <section className="desk-screen card" data-edge="strong" aria-labelledby="freigeben">
        <h2 id="freigeben">Verdächtig</h2>
        <p data-below="5">
          {either("why_suspected", slot("why_suspected"), "Sie sieht aus, als käme sie von einem Programm.")} Bis Sie
          sie freigeben, erfährt kein Betrieb davon.
        </p>
        <PostButton action={`${INQUIRY}/freigeben`} sends={{ read: slot("text_digest") }} look="button">
          Anfrage freigeben
        </PostButton>
      </section>
    </If>
  );
}

/** Takes an inquiry off the to-do lists, or puts it back. */
export function DoneButton() {
  const when = (done: string, open: string) => either("inquiry.done_at", done, open);
  return (
    <If test="has_person">
      <PostButton action={`${INQUIRY}/${when("oeffnen", "erledigt")}`} look="button-quiet button-small">
        {when("Wieder öffnen", "Erledigt")}
      </PostButton>
    </If>
  );
}

/** Shows what was agreed with the person. */
export function Notes() {
  return (
    <If test="has_person">
      <section>
        <h2>Notizen</h2>
        <Each entry="note" list="inquiry.notes">
          <div data-below="3">
            <p className="hint">{slot("note.at | time")}</p>
            <p className="quote">{slot("note.text")}</p>
          </div>
        </Each>
        <form method="post" action={`${INQUIRY}/notiz`}>
          <Field id="notiz" label="Notiz" hint="Nur für Sie: Weder der Kunde noch ein Betrieb liest sie.">
            {(control) => <textarea {...control} name="text" rows={3} maxLength={2000} required />}
          </Field>
          <p data-above="3">
            <Submit look="button-quiet">Notiz speichern</Submit>
          </p>
        </form>
      </section>
    </If>
  );
}

/** Asks another firm, whether or not it matches. */
export function AskForm() {
  return (
    <If test="choices">
      <section className="desk-screen card" aria-labelledby="fragen">
        <h2 id="fragen">Betrieb fragen</h2>
        <form method="post" action={`${INQUIRY}/fragen`}>
          <select className="field-input" name="firm" aria-label="Betrieb" required>
            <Each entry="firm" list="choices">
              <option value={slot("firm.id")}>
                {slot("firm.name")}
                {either("firm.is_paused", " (pausiert)", either("not firm.is_fitting", " (passt nicht)"))}
              </option>
            </Each>
          </select>
          <p className="hint" data-above="2" data-below="3">
            Er bekommt die Anfrage ohne Namen und Kontakt, auch wenn er pausiert ist oder nicht zur Anfrage passt.
          </p>
          <Submit look="button">Jetzt fragen</Submit>
        </form>
      </section>
    </If>
  );
}

/** Links to the confirmation before the data is erased. */
export function EraseLink() {
  return (
    <If test="has_person">
      <section className="desk-screen card" aria-labelledby="loeschen">
        <h2 id="loeschen">Löschen</h2>
        <p data-below="3">Wenn der Kunde es verlangt. Vorher sehen Sie, was das bewirkt.</p>
        <p className="cluster">
          <a className="button-quiet" href={`${INQUIRY}/loeschen`}>
            Anfrage löschen …
          </a>
          <a className="button-quiet" href={`${INQUIRY}/person`}>
            Alles über diese Person löschen
          </a>
        </p>
      </section>
    </If>
  );
}

const AFTERWARDS = (
  <>
    <li>Die Abrechnung bleibt gleich: Sie enthält keine Daten der Person.</li>
    <li>Nicht erreicht werden frühere Sicherungen und Listen, die Sie selbst exportiert haben.</li>
    <li>Das lässt sich nicht rückgängig machen.</li>
  </>
);

/** Renders the confirmation before an inquiry is erased. */
export function ErasePage() {
  return (
    <Question
      title="Diese Anfrage endgültig löschen?"
      lead={
        <>
          <If test="has_person">
            {slot("inquiry.first_name")} {slot("inquiry.last_name")}, {slot("inquiry.postal_code")},{" "}
          </If>
          Referenz {slot("reference")}, vom {slot("inquiry.created_at | time")}
        </>
      }
      back={INQUIRY}
      backLabel="Zurück zur Anfrage"
      action={`${INQUIRY}/loeschen`}
      sure="Ja, diese Anfrage soll endgültig gelöscht werden."
      submit="Endgültig löschen"
    >
      <li>Name, Kontaktdaten und alle Angaben werden gelöscht, auch aus der Datei auf der Platte.</li>
      <li>
        <Choose
          cases={{
            "told == 0": "Kein Betrieb hat Namen und Kontaktdaten; keiner wird benachrichtigt.",
            "told == 1": "Ein Betrieb hat Namen und Kontaktdaten. Er wird per E-Mail gebeten, sie auch zu löschen.",
          }}
          otherwise={`${slot("told")} Betriebe haben Namen und Kontaktdaten. Sie werden per E-Mail gebeten, sie auch zu löschen.`}
        />
      </li>
      <If test="reviews > 0">
        <li>
          <If test="reviews == 1" otherwise="Die Bewertungen der Person werden gelöscht, auch auf der Startseite.">
            Die Bewertung der Person wird gelöscht, auch auf der Startseite.
          </If>
        </li>
      </If>
      <li>Was noch nicht verschickt ist, wird nicht mehr verschickt. Kein weiterer Betrieb wird gefragt.</li>
      <If test="has_person">
        <li>
          Gelöscht wird nur diese Anfrage, nicht{" "}
          <a href={`/posteingang?search=${slot("inquiry.email_address | query")}`}>andere derselben Person</a> und nicht
          ihr Newsletter.
        </li>
      </If>
      {AFTERWARDS}
    </Question>
  );
}

/** Renders the confirmation before everything about a person is erased. */
export function ErasePersonPage() {
  return (
    <Question
      title="Alles über diese Person endgültig löschen?"
      lead="Das alles gehört zu derselben E-Mail-Adresse:"
      back={`/anfragen/${slot("id")}`}
      backLabel="Zurück zur Anfrage"
      action={`/anfragen/${slot("id")}/person`}
      sure="Ja, alles über diese Person soll endgültig gelöscht werden."
      submit="Endgültig löschen"
    >
      <Each entry="one" list="inquiries">
        <li>
          <a href={`/anfragen/${slot("one.id")}`}>Anfrage {slot("one.id[-12:]")}</a> von {slot("one.first_name")}{" "}
          {slot("one.last_name")}, {slot("one.created_at | time")}
        </li>
      </Each>
      <li>Anmeldung zum Newsletter: {either("subscriptions", slot("subscriptions | joined"), "keine")}</li>
      <li>Betriebe mit den Kontaktdaten werden per E-Mail gebeten, sie auch zu löschen.</li>
      {AFTERWARDS}
    </Question>
  );
}
