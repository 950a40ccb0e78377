import { Notices } from "../components/notice.tsx";
import { Each, either, If, slot } from "../template/template.tsx";
import { Facts } from "../private/facts.tsx";
import { FormErrors } from "../questionnaire/served-intro.tsx";
import { Deliveries } from "./deliveries.tsx";
import { CorrectForm } from "./caller-forms.tsx";
import { AskForm, DoneButton, EraseLink, Notes, Release } from "./inquiry-actions.tsx";
import { Badge, Named } from "./template.tsx";
import { PostButton } from "../components/submit.tsx";
import { ANSWERS, DELIVERIES, OUTCOMES, REVIEWS, STATES } from "./words.ts";

const WORDS = <div className="quote">{slot("inquiry.addition")}</div>;
const LINK = <a href={slot("inquiry.link")}>Öffnen</a>;
const ID = <code className="desk-id">{slot("inquiry.id")}</code>;

const INQUIRY = [
  ["Ort", slot("inquiry.postal_code | place")],
  ["Gebäude", slot("inquiry.property_type | named")],
  ["Problem", slot("inquiry.types_of_problems | named"), "inquiry.types_of_problems"],
  ["Betroffen", slot("inquiry.problem_locations | named"), "inquiry.problem_locations"],
  ["In eigenen Worten", WORDS, "inquiry.addition"],
  ["Eingegangen", slot("inquiry.created_at | time")],
  ["Referenz", slot("reference")],
] as const;

const CONSENT = `${slot("inquiry.consent.at | time")}: ${slot("inquiry.consent.wording")} (Satz ${slot("inquiry.consent.version")})${either("inquiry.consent.revoked_at", `; Anrufe seit ${slot("inquiry.consent.revoked_at | time")} nicht mehr erlaubt`)}`;

const PROOF = [
  ["Beim Server angekommen", slot("inquiry.received_at | time"), "inquiry.received_at"],
  ["Einwilligung", CONSENT, "inquiry.consent"],
  ["Erledigt", slot("inquiry.done_at | time"), "inquiry.done_at"],
  ["Berichtigt", slot("corrected | joined"), "corrected"],
  ["Seite des Kunden", LINK, "inquiry.link"],
  ["Kennung", ID],
] as const;

/** Renders everything about an inquiry, starting with what callers ask about. */
export function InquiryPage() {
  return (
    <>
      <Notices
        texts={{
          asked: (
            <>
              Der Betrieb ist gefragt. <a href="/posteingang?state=unmatched&open=1">Zu den Anfragen ohne Betrieb</a>
            </>
          ),
          released:
            "Die Anfrage ist freigegeben. Passende Betriebe werden in der nächsten Minute gefragt, wenn es welche gibt.",
          retried: "Die Nachricht wird jetzt noch einmal zugestellt.",
          entered: "Die Anfrage ist gespeichert.",
          credited: "Es ist gutgeschrieben: Der Betrieb zahlt für diese Anfrage nichts.",
          noted: "Die Notiz ist gespeichert.",
          done: "Die Anfrage ist erledigt.",
          reopened: "Die Anfrage ist wieder offen.",
          corrected: "Die Angaben sind berichtigt.",
          changed:
            "Es ist nichts geschehen: Die Anfrage wurde geändert, nachdem Sie sie gelesen haben. So lautet sie jetzt.",
        }}
      />
      <p className="desk-screen" data-below="3">
        <a className="touch" href="/posteingang">
          Zum Posteingang
        </a>
      </p>
      <div className="desk-title cluster">
        <h1>
          <If test="has_person" otherwise={`Anfrage ${slot("reference")}`}>
            {slot("inquiry.first_name")} {slot("inquiry.last_name")}
          </If>
        </h1>
        <Badge state="inquiry.state" names={STATES} />
        <DoneButton />
      </div>
      <FormErrors />
      <div className="desk-columns columns" data-gap="6" data-above="5">
        <div className="stack" data-gap="6">
          <Caller />
          <Photos />
          <Firms />
          <Notes />
        </div>
        <div className="desk-side stack" data-gap="6">
          <Release />
          <AskForm />
          <CorrectForm />
          <Proof />
          <EraseLink />
        </div>
      </div>
      <Deliveries />
    </>
  );
}

/** What a phone call needs: who, what, where, since when. */
function Caller() {
  return (
    <section aria-labelledby="anliegen">
      <h2 id="anliegen" className="visually-hidden">
        Anliegen
      </h2>
      <If
        test="has_person"
        otherwise={
          <p className="desk-empty">
            Name, Kontaktdaten und Angaben sind gelöscht. Es bleibt nur, was für Nachweise und Abrechnung nötig ist.
          </p>
        }
      >
        <p className="desk-contact cluster" data-below="4">
          <a className="button-plain" href={`tel:${slot("inquiry.phone_number | tel")}`}>
            {slot("inquiry.phone_number")}
          </a>
          <a className="button-quiet" href={slot("inquiry.email_address | mailto")}>
            {slot("inquiry.email_address")}
          </a>
        </p>
        <Facts lines={INQUIRY} />
      </If>
    </section>
  );
}

function Photos() {
  return (
    <If test="inquiry.photo_numbers">
      <section aria-labelledby="fotos">
        <h2 id="fotos">Fotos</h2>
        <ul className="desk-photos cluster">
          <Each entry="number" list="inquiry.photo_numbers">
            <li>
              <a href={`/anfragen/${slot("inquiry.id")}/foto/${slot("number")}`}>
                {/* Lazy, because React would preload eager ones from the top of the page. */}
                <img
                  src={`/anfragen/${slot("inquiry.id")}/foto/${slot("number")}`}
                  alt={`Foto ${slot("loop.index")} groß ansehen`}
                  loading="lazy"
                />
              </a>
            </li>
          </Each>
        </ul>
      </section>
    </If>
  );
}

function Firms() {
  return (
    <section aria-labelledby="betriebe">
      <h2 id="betriebe">Betriebe</h2>
      <If test="firms" otherwise={<p className="desk-empty">Noch ist kein Betrieb gefragt.</p>}>
        <p className="hint desk-screen">
          Vorsicht: Was Sie auf der Seite eines Betriebs anklicken, gilt als seine Antwort.
        </p>
        <ul className="stack" data-above="3">
          <Each entry="firm" list="firms">
            <li className="desk-firm bar" data-state={slot("firm.answer")}>
              <p>
                <strong>{slot("firm.name")}</strong>
              </p>
              <p>
                <If test="firm.was_paused" otherwise={<Named value="firm.answer" names={ANSWERS} />}>
                  pausiert
                </If>
                <If test="firm.answered_at"> am {slot("firm.answered_at | time")}</If>
              </p>
              <p className="hint">
                Gefragt am {slot("firm.asked_at | time")}
                <If test='firm.answer == "pending"'>, Zeit bis {slot("firm.answer_until | time")}</If>
                <If test="firm.mail">
                  , Mail <Named value="firm.mail" names={DELIVERIES} />
                </If>
                <If test="firm.has_contact_data">. Hat Namen und Kontaktdaten</If>.{" "}
                <a href={slot("firm.link")}>Seite des Betriebs</a>
              </p>
              <If test="firm.outcome">
                <p className="hint">
                  Ergebnis: <Named value="firm.outcome" names={OUTCOMES} />
                  <If test="firm.net_sum">, netto {slot("firm.net_sum | euro")} €</If>
                  <If test="firm.credit">. Gutgeschrieben: {slot("firm.credit.reason")}</If>
                </p>
              </If>
              <If test="firm.outcome and not firm.credit">
                <p className="hint" data-above="3">
                  Mit einer Gutschrift zahlt er nichts für diese Anfrage. Das lässt sich nicht rückgängig machen.
                </p>
                <PostButton
                  action={`/anfragen/${slot("inquiry.id")}/gutschreiben`}
                  sends={{ firm: slot("firm.id") }}
                  field={{ label: "Grund", name: "reason", maxLength: 200 }}
                  look="button-quiet"
                >
                  Gutschreiben
                </PostButton>
              </If>
              <If test="firm.review">
                <Review />
              </If>
            </li>
          </Each>
        </ul>
      </If>
    </section>
  );
}

/** The person's review of a firm. It is published or rejected on the page of all reviews. */
function Review() {
  return (
    <>
      <p className="hint">
        <strong>{slot("firm.review.stars")} von 5 Sternen</strong>, {slot("firm.review.name")},{" "}
        <Named value="firm.review.state" names={REVIEWS} />
        <If test="not firm.review.consent">, der Veröffentlichung nicht zugestimmt</If>.{" "}
        <a href="/bewertungen">Zu den Bewertungen</a>
      </p>
      <If test="firm.review.text">
        <blockquote className="quote">{slot("firm.review.text")}</blockquote>
      </If>
    </>
  );
}

/** Shows the proof of consent to calls from firms, and links to what the person sees. */
function Proof() {
  return (
    <section aria-labelledby="nachweis">
      <h2 id="nachweis">Nachweis</h2>
      <Facts lines={PROOF} />
    </section>
  );
}
