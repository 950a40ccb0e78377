import { If, slot } from "../template/template.tsx";
import { Facts } from "./facts.tsx";

/** Shows a firm that has accepted whom to call. */
export function FirmContact() {
  return (
    <section
      className="private-page-person panel measure"
      data-edge="strong"
      data-tone="good"
      aria-labelledby="kontakt"
    >
      <h2 id="kontakt">
        {slot("inquiry.first_name")} {slot("inquiry.last_name")}
      </h2>
      <p className="private-page-answer stack measure">
        <If test="calls_revoked">
          <strong>Bitte nicht mehr anrufen: Die Einwilligung ist seit dem {slot("calls_revoked")} widerrufen.</strong>
        </If>
        <If test="not calls_revoked">
          <a className="button" href={slot("inquiry.phone_link")}>
            Anrufen: {slot("inquiry.phone")}
          </a>
        </If>
        <a className="button-quiet" href={slot("inquiry.email_link")}>
          E-Mail schreiben
        </a>
      </p>
      <Facts
        lines={[
          ["Telefon", slot("inquiry.phone"), "not calls_revoked"],
          ["E-Mail", slot("inquiry.email")],
        ]}
      />
      <If test="consent">
        <h3 data-above="4">Nachweis für Ihren Anruf</h3>
        <p className="hint" data-above="2">
          Diesem Satz wurde am {slot("consent.at")} zugestimmt: {slot("consent.wording")}
        </p>
        <p className="hint">Bewahren Sie beides fünf Jahre auf, auch wenn die Anfrage gelöscht wird (§ 7a UWG).</p>
      </If>
      <p className="hint" data-above="4">
        Verwenden Sie diese Daten nur für Ihr Angebot. Wird die Anfrage zurückgezogen oder gelöscht, schreiben wir
        Ihnen; dann löschen Sie alles andere, soweit Sie es nicht für einen Auftrag brauchen oder aufbewahren müssen.
      </p>
    </section>
  );
}
