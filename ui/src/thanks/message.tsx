import { OfferPromise } from "./offer-promise.tsx";
import { PrivatePageLink, Reference } from "./stored-inquiry.tsx";
import type { InquiryStatus } from "./use-inquiry-status.ts";

type StoredStatus = Extract<InquiryStatus, { kind: "stored" }>;

/** Says what is true of the visitor's inquiry. */
export function Message({ status }: { readonly status: InquiryStatus }) {
  switch (status.kind) {
    case "stored":
      return <Stored reference={status.reference} privatePage={status.privatePage} />;
    case "queued":
      return <Queued />;
    case "refused":
      return <Refused reason={status.message} />;
    case "expired":
      return <Expired />;
    case "unknown":
      return <Unknown />;
    case "failed":
      return <Failed />;
  }
}

function Stored({ reference, privatePage }: Pick<StoredStatus, "reference" | "privatePage">) {
  return (
    <>
      <h1>Vielen Dank für Ihre Anfrage!</h1>
      <p className="layout-lead">
        <OfferPromise />
      </p>
      {reference !== null && <Reference number={reference} />}
      {privatePage !== null && <PrivatePageLink path={privatePage} />}
    </>
  );
}

function Queued() {
  return (
    <>
      <h1>Vielen Dank! Ihre Anfrage ist noch nicht bei uns</h1>
      <p className="layout-lead">Ihre Anfrage konnte noch nicht übermittelt werden. Sie geht nicht verloren:</p>
      <ul className="thanks-facts">
        <li>
          Sie ist auf diesem Gerät gespeichert. Gesendet wird sie bis zu 7&nbsp;Tage lang; danach löscht Ihr Browser sie
          bei Ihrem nächsten Besuch.
        </li>
        <li>Sie wird automatisch erneut gesendet, solange diese Website geöffnet ist und bei Ihrem nächsten Besuch.</li>
        <li>
          <OfferPromise isLater />
        </li>
      </ul>
    </>
  );
}

function Refused({ reason }: { readonly reason: string }) {
  return (
    <>
      <h1>Ihre Anfrage wurde nicht angenommen</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Leider hat unser Server Ihre Anfrage abgelehnt. Sie ist auf diesem Gerät nicht
        mehr gespeichert.
      </p>
      {reason !== "" && <p>Grund: {reason}</p>}
      <AskAgain />
    </>
  );
}

function Expired() {
  return (
    <>
      <h1>Ihre Anfrage wird nicht mehr gesendet</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Ihre Anfrage war 7&nbsp;Tage lang auf diesem Gerät gespeichert und wurde danach
        gelöscht. Dass sie bei uns angekommen ist, hat unser Server nicht bestätigt. Haben Sie keine Angebote erhalten,
        stellen Sie sie bitte noch einmal.
      </p>
      <AskAgain />
    </>
  );
}

function Unknown() {
  return (
    <>
      <h1>Ist Ihre Anfrage angekommen?</h1>
      <p className="layout-lead">
        Ihre Anfrage ist auf diesem Gerät nicht mehr gespeichert. Ob sie übermittelt wurde, lässt sich hier nicht mehr
        feststellen. Haben Sie keine Angebote erhalten, stellen Sie sie bitte noch einmal.
      </p>
      <AskAgain />
    </>
  );
}

function Failed() {
  return (
    <>
      <h1>Ihre Anfrage wurde nicht übermittelt</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Leider ist beim Speichern ein Fehler aufgetreten. Ihre Angaben stehen noch im
        Fragebogen, sofern Ihr Browser Websitedaten speichern darf.
      </p>
      <p>
        <a href="/fragebogen?step=4">Anfrage prüfen und erneut absenden</a>
      </p>
    </>
  );
}

function AskAgain() {
  return (
    <p>
      <a href="/fragebogen">Anfrage noch einmal stellen</a>
    </p>
  );
}
