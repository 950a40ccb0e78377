import { Submit } from "../components/submit.tsx";
import { SERVED } from "../questionnaire/served-form.tsx";
import { FormErrors } from "../questionnaire/served-intro.tsx";
import { StepFields } from "../questionnaire/step-fields.tsx";
import { TextInput } from "../questionnaire/text-input.tsx";
import { Branch, If, slot } from "../template/template.tsx";

const NO_EMAIL =
  "Hat der Kunde keine, dann tragen Sie Ihre ein: Seine Mails kommen zu Ihnen. Löschen Sie später nur die Anfrage, nicht alles über die Person.";

const CONTACT = ["firstName", "lastName", "email", "phone"] as const;

/** Renders the questionnaire for a caller, to be read out. */
export function NewInquiryPage() {
  return (
    <>
      <h1>Neue Anfrage</h1>
      <p className="layout-lead" data-above="3" data-below="5">
        Für jemanden, der anruft. Betriebe werden gefragt, und der Kunde bekommt die Bestätigung wie sonst auch.
      </p>
      <FormErrors />
      <form className="measure stack" data-gap="6" data-above="5" method="post" action="/neue-anfrage">
        <input type="hidden" name="key" value={slot("key")} />
        {([0, 1, 2, 3] as const).map((step) => (
          <StepFields key={step} step={step} {...SERVED} />
        ))}
        <Contact names={CONTACT} />
        <label className="desk-sure check">
          <Branch
            test="has_consent"
            render={(is) => <input type="checkbox" name="consent" value={slot("spoken")} defaultChecked={is} />}
          />
          <span>Der Kunde ist mit Anrufen einverstanden: „{slot("wording")}“</span>
        </label>
        <Submit look="button">Anfrage speichern</Submit>
      </form>
    </>
  );
}

/** Renders the form that corrects a caller's details. */
export function CorrectForm() {
  return (
    <If test="has_person">
      <section className="desk-screen card" aria-labelledby="berichtigen">
        <h2 id="berichtigen">Angaben berichtigen</h2>
        <form method="post" action={`/anfragen/${slot("inquiry.id")}/berichtigen`}>
          <input type="hidden" name="read" value={slot("text_digest")} />
          <Contact names={[...CONTACT, "postalCode"]} />
          <p className="hint" data-above="3" data-below="3">
            Die alten Angaben werden nirgends aufgehoben. Betriebe, die angenommen haben, erfahren davon per E-Mail.
          </p>
          <Submit>Berichtigen</Submit>
        </form>
      </section>
    </If>
  );
}

function Contact({ names }: { names: readonly ((typeof CONTACT)[number] | "postalCode")[] }) {
  return (
    <div>
      {names.map((name) => (
        <TextInput key={name} name={name} forCaller={name === "email" ? NO_EMAIL : ""} {...SERVED} />
      ))}
    </div>
  );
}
