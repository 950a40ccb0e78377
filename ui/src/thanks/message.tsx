import { Link } from "../routing/router.ts";
import type { Arrival } from "./arrival.ts";
import { PendingMessage } from "./pending-message.tsx";

/** What is true of the visitor's inquiry. */
export function Message({ arrival }: { readonly arrival: Arrival }) {
  switch (arrival.kind) {
    case "direct":
      return <Received reference={null} />;
    case "submitted":
      return <Received reference={arrival.reference} />;
    case "pending":
      return <PendingMessage letterKey={arrival.key} />;
    case "failed":
      return <Failed />;
  }
}

export function Received({ reference }: { readonly reference: string | null }) {
  return (
    <>
      <h1>Vielen Dank für Ihre Anfrage!</h1>
      <p className="layout-lead">Sie erhalten innerhalb von 6 Stunden bis zu 3 Angebote geprüfter Fachfirmen.</p>
      {reference !== null && (
        <p className="thanks-reference">
          Ihre Referenznummer: <strong className="thanks-number">{reference}</strong>
        </p>
      )}
    </>
  );
}

function Failed() {
  return (
    <>
      <h1>Ihre Anfrage wurde nicht übermittelt</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Leider ist beim Speichern ein Fehler aufgetreten. Ihre Angaben stehen noch im
        Fragebogen.
      </p>
      <p>
        <Link to="/fragebogen?step=4">Anfrage prüfen und erneut absenden</Link>
      </p>
    </>
  );
}
