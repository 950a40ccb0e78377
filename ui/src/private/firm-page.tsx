import { Facts, INQUIRY } from "./facts.tsx";
import { FirmContact } from "./firm-contact.tsx";
import { Intro } from "./intro.tsx";
import { Choose, either, If, slot } from "../template/template.tsx";
import { PhotoRow } from "./photo-row.tsx";
import { OutcomeForm, OutcomeNotice } from "./outcome-form.tsx";

const HAS_DETAILS = 'state in ["open", "passed_over", "accepted"]';
const MAY_ANSWER = 'state in ["open", "passed_over"]';
const REFERENCE = (
  <p className="measure" data-below="5">
    Referenz {slot("inquiry.reference")}, eingegangen am {slot("inquiry.received")}.
  </p>
);

/** Renders one firm's page for one inquiry: the request, two buttons and, once it has accepted, whom to call. */
export function FirmPage() {
  return (
    <>
      <Intro title={<Headline />} lead={<Lead />} />
      <If test="outcome">
        <OutcomeNotice />
      </If>
      <If test='state == "accepted"'>
        <FirmContact />
      </If>
      <div className="private-page-offer">
        <div>
          <If test={HAS_DETAILS} otherwise={REFERENCE}>
            <Details />
          </If>
          <If test={MAY_ANSWER}>
            <Asked />
          </If>
        </div>
        <If test={MAY_ANSWER}>
          <AnswerForm />
        </If>
      </div>
      <If test="outcome">
        <OutcomeForm />
      </If>
      <a href="/fuer-betriebe">So arbeiten wir mit Betrieben zusammen</a>
    </>
  );
}

function Details() {
  return (
    <section className="private-page-details measure" aria-labelledby="anfrage">
      <h2 id="anfrage">Worum es geht</h2>
      <Facts lines={INQUIRY} />
      <If test="inquiry.addition">
        <h3 data-above="5">Ergänzende Angaben</h3>
        <blockquote className="quote" data-above="2">
          {slot("inquiry.addition")}
        </blockquote>
      </If>
      <If test="photos">
        <h3 data-above="5">Fotos</h3>
        <PhotoRow />
      </If>
    </section>
  );
}

function Asked() {
  return (
    <p className="measure" data-below="5">
      <If test="asked_count == 1" otherwise={`Gefragt haben wir ${slot("asked_count")} Betriebe. `}>
        {"Bisher haben wir nur Sie gefragt. "}
      </If>
      <Choose
        cases={{
          "offers < asked_count and offers == 1": "Annehmen kann einer. ",
          "offers < asked_count": `Annehmen können höchstens ${slot("offers")}. `,
          "asked_count > 1": "Jeder kann annehmen; die Angebote werden verglichen. ",
        }}
      />
      Name und Kontaktdaten sehen Sie, sobald Sie annehmen.
    </p>
  );
}

/** The price is next to the buttons, which stay in view, because a single press accepts. */
function AnswerForm() {
  return (
    <form className="private-page-answer stack measure" method="post" action={slot("action")}>
      <If test='state == "open"'>
        <p className="private-page-deadline">Antwort bis zum {slot("answer_until")}</p>
      </If>
      <If test="is_price_new">
        <p role="alert">
          Der Preis hat sich geändert, seit Sie diese Seite geöffnet haben. Ihre Antwort ist noch nicht eingegangen.
        </p>
      </If>
      <If test="cost" otherwise={<input type="hidden" name="cost" value="" />}>
        <input type="hidden" name="cost" value={slot("cost")} />
        <p className="private-page-cost">{slot("cost")}</p>
      </If>
      <button className="button" type="submit" name="answer" value="accept">
        {either("price", `Für ${slot("price")} annehmen`, "Annehmen und Kontaktdaten ansehen")}
      </button>
      <button className="button-quiet" type="submit" name="answer" value="decline">
        Ablehnen
      </button>
    </form>
  );
}

function Headline() {
  return (
    <Choose
      cases={{
        'state == "accepted"': "Sie haben die Anfrage angenommen",
        'state == "declined"': "Sie haben die Anfrage abgelehnt",
        'state == "full"': "Andere Betriebe waren schneller",
        'state == "gone"': "Diese Anfrage steht Ihnen nicht mehr offen",
        'state == "withdrawn"': "Die Anfrage wurde zurückgezogen",
        'state == "erased"': "Die Daten der Anfrage sind gelöscht",
      }}
      otherwise={`Anfrage aus ${slot("inquiry.place_name")}`}
    />
  );
}

function Lead() {
  return (
    <Choose
      cases={{
        'state == "open"': `Möchten Sie sie übernehmen? Bitte antworten Sie bis zum ${slot("answer_until")}.`,
        'state == "passed_over"':
          "Die Zeit für eine Antwort ist um, aber noch ist ein Platz frei: Sie können weiterhin annehmen.",
        'state == "accepted" and outcome and outcome.chosen != "open"':
          "Danke, dass Sie diese Anfrage übernommen haben. Ihre Kontaktdaten haben wir weitergegeben.",
        'state == "accepted"':
          "Bitte melden Sie sich heute oder am nächsten Werktag. Dass Sie angenommen haben, ist schon bekannt; auch Ihre Kontaktdaten haben wir weitergegeben.",
        'state == "declined"': "Danke für die klare Antwort. Sie brauchen nichts weiter zu tun.",
        'state == "gone"':
          "Ihr Betrieb ist bei uns nicht mehr eingetragen; deshalb können Sie Anfragen nicht annehmen. Halten Sie das für einen Irrtum, dann melden Sie sich bitte bei uns.",
        'state == "erased"':
          "Bitte löschen auch Sie die Daten, die Sie von uns dazu haben, soweit Sie sie nicht für einen Auftrag benötigen oder aufbewahren müssen (Art. 17 DSGVO).",
        'state == "full"': "Alle Plätze sind vergeben. Bei der nächsten Anfrage fragen wir Sie gern wieder.",
      }}
      otherwise="Bitte nehmen Sie dazu keinen Kontakt mehr auf, und löschen Sie die Daten, die Sie von uns haben, soweit Sie sie nicht aufbewahren müssen (Art. 17 DSGVO)."
    />
  );
}
