import { type ReactNode } from "react";
import { IfSetting } from "../../template/settings.tsx";

interface StoredProps {
  readonly lead?: ReactNode;
  readonly reference?: string;
  readonly privatePage?: string;
}

/** Confirms that the inquiry was stored. `inline/thanks.js` fills in what is missing, or omits it. */
export function Stored({ lead, reference, privatePage }: StoredProps) {
  return (
    <>
      <h1>Vielen Dank für Ihre Anfrage!</h1>
      <p className="layout-lead" data-slot="lead">
        {lead}
      </p>
      <p className="thanks-reference bar" data-tone="good" data-part="">
        Ihre Referenznummer:{" "}
        <strong className="thanks-number" data-slot="reference">
          {reference}
        </strong>
      </p>
      <div className="thanks-private stack" data-gap="4" data-part="">
        <a className="button" href={privatePage ?? "/"} data-slot="page">
          Ihre Anfrage ansehen
        </a>
        <p>
          Auf Ihrer persönlichen Seite sehen Sie, wie es um Ihre Anfrage steht. Dort können Sie auch Angaben ergänzen
          oder die Anfrage zurückziehen. Bewahren Sie den Link auf, und geben Sie ihn nicht weiter.
          <IfSetting name="handling.mail"> Meist kommt er auch per E-Mail.</IfSetting>
        </p>
        <p>
          Fotos helfen: Auf Ihrer Seite können Sie die ganze Fassade, die Stelle mit den Tauben und eine Nahaufnahme
          zeigen; so spart sich der Betrieb oft einen Besuch und kann genauer rechnen.
        </p>
      </div>
    </>
  );
}

/** The page's messages about inquiries that were not stored, by outcome. */
export const MESSAGES: Readonly<Record<string, ReactNode>> = {
  queued: (
    <>
      <h1>Vielen Dank! Ihre Anfrage ist noch nicht bei uns</h1>
      <p className="layout-lead">Ihre Anfrage konnte noch nicht übermittelt werden. Sie geht nicht verloren:</p>
      <ul className="thanks-facts">
        <li>
          Sie ist auf diesem Gerät gespeichert. Gesendet wird sie bis zu 7&nbsp;Tage lang; danach löscht Ihr Browser sie
          bei Ihrem nächsten Besuch.
        </li>
        <li>Sie wird automatisch erneut gesendet, solange diese Website geöffnet ist und bei Ihrem nächsten Besuch.</li>
        <li>Sobald sie bei uns ist, melden wir das auf dieser Website.</li>
      </ul>
      <button type="button" className="button" data-again="">
        Jetzt noch einmal senden
      </button>
    </>
  ),
  refused: (
    <>
      <h1>Ihre Anfrage wurde nicht angenommen</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Leider hat unser Server Ihre Anfrage abgelehnt. Sie ist auf diesem Gerät nicht
        mehr gespeichert.
      </p>
      <p data-part="">
        Grund: <span data-slot="reason" />
      </p>
      <AskAgain />
    </>
  ),
  expired: (
    <>
      <h1>Ihre Anfrage wird nicht mehr gesendet</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Ihre Anfrage war 7&nbsp;Tage lang auf diesem Gerät gespeichert und wurde danach
        gelöscht. Dass sie bei uns angekommen ist, hat unser Server nicht bestätigt. Haben Sie keine Angebote erhalten,
        stellen Sie sie bitte noch einmal.
      </p>
      <AskAgain />
    </>
  ),
  unknown: (
    <>
      <h1>Ist Ihre Anfrage angekommen?</h1>
      <p className="layout-lead">
        Ihre Anfrage ist auf diesem Gerät nicht mehr gespeichert. Ob sie übermittelt wurde, lässt sich hier nicht mehr
        feststellen. Haben Sie keine Angebote erhalten, stellen Sie sie bitte noch einmal.
      </p>
      <AskAgain />
    </>
  ),
  failed: (
    <>
      <h1>Ihre Anfrage wurde nicht übermittelt</h1>
      <p className="layout-lead">
        Vielen Dank für Ihr Interesse. Leider ist beim Speichern ein Fehler aufgetreten. Ihre Angaben stehen noch im
        Fragebogen, sofern Ihr Browser Websitedaten speichern darf.
      </p>
      <a className="button" href="/fragebogen?step=4">
        Anfrage prüfen und erneut absenden
      </a>
    </>
  ),
};

function AskAgain() {
  return (
    <a className="button" href="/fragebogen">
      Anfrage noch einmal stellen
    </a>
  );
}
