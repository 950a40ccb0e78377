import type { ReactNode } from "react";
import { AdditionForm } from "./addition-form.tsx";
import { Facts, INQUIRY } from "./facts.tsx";
import { FirmList } from "./firm-list.tsx";
import { Intro } from "./intro.tsx";
import { PhotoError, PhotoForm } from "./photo-form.tsx";
import { ReviewErrors, ReviewForms } from "./review-form.tsx";
import { ErrorLink, ErrorSummary, Notices } from "../components/notice.tsx";
import { TEXT_FIELDS } from "../questionnaire/fields.ts";
import { RANKING } from "../questionnaire/privacy-note.tsx";
import { ServedField } from "./served-field.tsx";
import { Choose, either, If, slot } from "../template/template.tsx";
import { Submit } from "../components/submit.tsx";

const PHONE = TEXT_FIELDS.phone;

/** Renders the page on which a visitor follows an inquiry. */
export function VisitorPage() {
  return (
    <If test='state == "withdrawn"' otherwise={<Running />}>
      <Withdrawn />
    </If>
  );
}

function Done({ what, so }: { what: string; so: ReactNode }) {
  return (
    <>
      <strong>{what}</strong> {so}
    </>
  );
}

/** Confirmations of actions further down the page. */
const DONE = {
  photos_saved: <Done what="Gespeichert." so="Betriebe, die wir fragen, sehen Ihre Fotos." />,
  photo_removed: <Done what="Entfernt." so="Das Foto ist gelöscht." />,
  phone_saved: <Done what="Gespeichert." so="Die neue Nummer gilt sofort, auch für Betriebe, die angenommen haben." />,
  review_saved: (
    <Done
      what="Danke, Ihre Bewertung ist gespeichert."
      so={<a href="#bewerten">Was damit geschieht, steht beim Formular.</a>}
    />
  ),
  review_removed: <Done what="Ihre Bewertung ist zurückgenommen" so="und bei uns gelöscht." />,
  calls_revoked: <Done what="Gespeichert." so="Ihre Anfrage läuft weiter; anrufen darf Sie dazu niemand mehr." />,
};

const READ_BY = either(
  'state == "by_hand"',
  "Wir lesen die neuen Angaben, bevor wir uns melden.",
  "Betriebe, die Ihre Anfrage haben, erhalten die neuen Angaben.",
);

function Running() {
  return (
    <>
      <Notices texts={{ saved: <Done what="Gespeichert." so={READ_BY} /> }} />
      <Intro title={<Headline />} lead={<Lead />} />
      <ReviewErrors />
      <PhotoError />
      <If test="phone_error">
        <ErrorSummary title="Ihre Nummer ist nicht gespeichert">
          <ul className="error-summary-list">
            <ErrorLink field={PHONE.id}>{slot("phone_error")}</ErrorLink>
          </ul>
        </ErrorSummary>
      </If>
      <Notices texts={DONE} />
      <div className="private-page-columns columns" data-gap="7">
        <div className="stack" data-gap="7">
          <If test='state == "nobody" and accepted_count == 0'>
            <Elsewhere />
          </If>
          <If test="firms">
            <section aria-labelledby="betriebe">
              <h2 id="betriebe">Wer gefragt ist</h2>
              <FirmList />
              <p className="hint" data-above="4">
                {RANKING}
              </p>
            </section>
          </If>
          <PhotoForm />
          <AdditionForm />
          <ReviewForms />
        </div>
        <div className="stack" data-gap="7">
          <section aria-labelledby="anfrage">
            <h2 id="anfrage">Ihre Anfrage</h2>
            <Facts lines={INQUIRY} />
          </section>
          <PhoneForm />
          <section aria-labelledby="zurueckziehen">
            <h2 id="zurueckziehen">Anfrage oder Anrufe beenden</h2>
            <p data-below="4">
              Wenn Sie Ihre Anfrage zurückziehen, löschen wir Ihre Daten
              <If test="asked_count == 1"> und bitten den Betrieb, dasselbe zu tun</If>
              <If test="asked_count > 1"> und bitten die Betriebe, dasselbe zu tun</If>. Vorher fragen wir noch einmal
              nach.
            </p>
            <form method="get" action={`${slot("link")}/zurueckziehen`}>
              <Submit look="button-quiet">Anfrage zurückziehen</Submit>
            </form>
            <If test="has_consent and not calls_revoked">
              <form method="post" action={slot("action")} data-above="4">
                <input type="hidden" name="revoke_calls" value="yes" />
                <Submit look="button-quiet">Anrufe nicht mehr erlauben</Submit>
              </form>
            </If>
            <If test="calls_revoked">
              <p data-above="4">Seit dem {slot("calls_revoked")} darf Sie zu dieser Anfrage niemand mehr anrufen.</p>
            </If>
          </section>
        </div>
      </div>
    </>
  );
}

/** Accepts another telephone number. The page never shows the stored one. */
function PhoneForm() {
  return (
    <section aria-labelledby="nummer">
      <h2 id="nummer">Andere Nummer?</h2>
      <form method="post" action={slot("action")}>
        <ServedField
          id={PHONE.id}
          label={PHONE.label}
          hint="Sie ersetzt die bisherige, die hier zu Ihrem Schutz nicht steht."
          fault="phone_error"
          required
        >
          {(control) => <input {...control} {...PHONE.input} name="phone_number" defaultValue={slot("phone")} />}
        </ServedField>
        <p data-above="4">
          <Submit look="button-quiet">Nummer berichtigen</Submit>
        </p>
      </form>
    </section>
  );
}

function Headline() {
  return (
    <Choose
      cases={{
        "accepted_count == 1": "Ein Betrieb hat Ihre Anfrage angenommen",
        "accepted_count > 1": `${slot("accepted_count")} Betriebe haben Ihre Anfrage angenommen`,
        'state == "nobody"': "Wir haben noch keinen Betrieb für Sie",
        "asked_count == 1": "Wir haben einen Betrieb für Sie gefragt",
        "asked_count > 1": `Wir haben ${slot("asked_count")} Betriebe für Sie gefragt`,
      }}
      otherwise="Ihre Anfrage ist eingegangen"
    />
  );
}

function Lead() {
  return (
    <Choose
      cases={{
        "accepted_count > 0":
          "Wer angenommen hat, meldet sich bei Ihnen. Hören Sie nach zwei Werktagen nichts, rufen Sie bitte selbst an oder schreiben Sie. Verpflichtet sind Sie zu nichts.",
        'state == "nobody" and asked_count == 1':
          "Der Betrieb, den wir gefragt haben, hat Ihre Anfrage nicht übernommen. Das tut uns leid. Wir suchen jetzt persönlich weiter, können aber nicht versprechen, dass wir jemanden finden. Wenn es eilt, warten Sie bitte nicht auf uns.",
        'state == "nobody" and firms':
          "Keiner der Betriebe, die wir gefragt haben, hat Ihre Anfrage übernommen. Das tut uns leid. Wir suchen jetzt persönlich weiter, können aber nicht versprechen, dass wir jemanden finden. Wenn es eilt, warten Sie bitte nicht auf uns.",
        'state == "nobody"':
          "Zu Ort, Gebäude und Problem passt zurzeit keiner unserer Betriebe, der Zeit hat. Das tut uns leid. Wir suchen jetzt persönlich weiter, können aber nicht versprechen, dass wir jemanden finden. Wenn es eilt, warten Sie bitte nicht auf uns.",
        'state == "by_hand"':
          "Wir melden uns bei Ihnen, per Telefon oder E-Mail, und besprechen mit Ihnen, wie es weitergeht. Wie Sie uns erreichen, steht am Ende der Seite.",
        "asked_count == 1": `Ihren Namen und Ihre Nummer hat der Betrieb noch nicht. Nimmt er an, sehen Sie hier seine Kontaktdaten. Zeit für eine Antwort ist bis zum ${slot("answer_until")}; danach fragen wir andere, wenn es noch passende gibt.`,
        "asked_count > 0": `Ihren Namen und Ihre Nummer haben die Betriebe noch nicht. Sobald einer annimmt, sehen Sie hier seine Kontaktdaten. Zeit für eine Antwort ist bis zum ${slot("answer_until")}; danach fragen wir andere, wenn es noch passende gibt.`,
      }}
      otherwise="Wir wählen jetzt Fachbetriebe aus, die zu Ihrer Anfrage passen. Sobald wir einen gefragt haben, sehen Sie ihn hier. Sie brauchen nichts zu tun."
    />
  );
}

/** Names others who can recommend firms, like the mail `visitor-nobody`. */
function Elsewhere() {
  return (
    <section className="prose" aria-labelledby="anderswo">
      <h2 id="anderswo">Wer Ihnen noch Betriebe nennt</h2>
      <ul>
        <li>
          die <a href="https://www.hwk-hamburg.de">Handwerkskammer Hamburg</a>, im Umland die dortige, und die
          Dachdecker-Innung, für Spikes, Netze und Bleche an Dach und Fassade;
        </li>
        <li>
          der <a href="https://www.dsvonline.de">Deutsche Schädlingsbekämpfer-Verband</a> und die Innung der
          Gebäudereiniger, für Nester, Kot und Parasiten.
        </li>
      </ul>
    </section>
  );
}

function Withdrawn() {
  return (
    <>
      <Intro
        title="Ihre Anfrage ist zurückgezogen"
        lead={
          <>
            Wir haben Ihre Daten gelöscht.{" "}
            <If test="asked_count == 1">Den Betrieb, der Ihre Anfrage hatte, bitten wir, dasselbe zu tun.</If>
            <If test="asked_count > 1">Die Betriebe, die Ihre Anfrage hatten, bitten wir, dasselbe zu tun.</If>
          </>
        }
      />
      <p className="measure" data-below="5">
        Was noch nicht verschickt war, wird nicht mehr verschickt. Diese Seite nennt nur noch die Referenz{" "}
        {slot("inquiry.reference")} und verschwindet nach 30 Tagen.
      </p>
      <p className="actions">
        <a className="button" href="/fragebogen">
          Neue Anfrage stellen
        </a>
        <a className="button-quiet" href="/">
          Zur Startseite
        </a>
      </p>
    </>
  );
}
