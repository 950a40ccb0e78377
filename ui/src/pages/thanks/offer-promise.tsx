import { useText, Vetted } from "../../template/settings.tsx";
import { Choose, If, slot } from "../../template/template.tsx";

/**
 * Says what the visitor can expect. Offers are promised if firms were asked. The sample operator also promises them
 * without firms, and if the page is opened without an inquiry.
 */
export function OfferPromise() {
  const cases = {
    "site.demo":
      "Diese Website läuft zur Vorführung: Ihre Anfrage wurde nicht gespeichert und erreicht keinen Fachbetrieb.",
    "thanks.firms_asked or (site.sample and not (thanks.is_stored and site.handling.firms))": <Offers />,
    "thanks.is_stored": "Ihre Anfrage ist bei uns angekommen. Wir rufen Sie an oder schreiben Ihnen eine E-Mail.",
  };
  const otherwise = "Haben Sie uns eine Anfrage gesendet? Dann melden wir uns telefonisch oder per E-Mail bei Ihnen.";
  return <Choose cases={cases} otherwise={otherwise} />;
}

function Offers() {
  const first = <span className="fact">{useText("claims.first_offers.value")}</span>;
  const all = <span className="fact">{useText("claims.offers.value")}</span>;
  const firms = <Vetted otherwise="von Fachbetrieben">geprüfter Fachbetriebe</Vetted>;
  return (
    <>
      <If
        test="site.claims.first_offers and (not site.claims.offers or site.claims.first_offers.value != site.claims.offers.value)"
        otherwise={
          <If test="site.claims.offers">
            Sie erhalten {slot("site.offered")} innerhalb von {all} (Richtwert).{" "}
          </If>
        }
      >
        Erste Angebote {firms} erhalten Sie innerhalb von {first} (Richtwert).{" "}
        <If test="site.claims.offers">Bis zu drei sind es innerhalb von {all} (Richtwert). </If>
      </If>
      Den festen Preis nennt der Betrieb nach der Besichtigung.
    </>
  );
}
