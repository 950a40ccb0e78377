import { Vetted } from "../claims/vetted.tsx";
import { IfSetting, UnlessSetting, useText } from "../settings/context.tsx";

/** Says when offers come, or that none do where inquiries are not kept. */
export function OfferPromise({ isLater = false }: { readonly isLater?: boolean }) {
  const first = useText("claims.first_offers.value");
  const all = useText("claims.offers.value");
  return (
    <>
      <UnlessSetting name="demo">
        <IfSetting name="claims.first_offers">
          Erste Angebote <Vetted otherwise="von Fachbetrieben">geprüfter Fachbetriebe</Vetted> erhalten Sie innerhalb
          von <span className="fact">{first}</span>
          {isLater && " nach der Übermittlung"} (Richtwert).{" "}
        </IfSetting>
        <IfSetting name="claims.offers">
          Bis zu drei sind es innerhalb von <span className="fact">{all}</span> (Richtwert).{" "}
        </IfSetting>
        Den festen Preis nennt der Betrieb nach der Besichtigung.
      </UnlessSetting>
      <IfSetting name="demo">
        Diese Website läuft zur Vorführung: Ihre Anfrage wurde nicht gespeichert und erreicht keinen Fachbetrieb.
      </IfSetting>
    </>
  );
}
