import { IfSetting, UnlessSetting } from "../settings/context.tsx";

/** Says when offers come (spec, section 2), or that none do where inquiries are not kept. */
export function OfferPromise({ isLater = false }: { readonly isLater?: boolean }) {
  return (
    <>
      <UnlessSetting name="demo">
        Erste Angebote geprüfter Fachbetriebe erhalten Sie innerhalb von 6 Stunden{isLater && " nach der Übermittlung"},
        bis zu drei innerhalb von 24 Stunden (Richtwerte). Den festen Preis nennt der Betrieb nach der Besichtigung.
      </UnlessSetting>
      <IfSetting name="demo">
        Diese Website läuft zur Vorführung: Ihre Anfrage wurde nicht gespeichert und erreicht keinen Fachbetrieb.
      </IfSetting>
    </>
  );
}
