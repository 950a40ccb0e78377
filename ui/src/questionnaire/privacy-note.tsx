import { IfSetting, useText } from "../template/settings.tsx";

/** How firms are ranked (§ 5b Abs. 2 UWG). */
export const RANKING =
  "Passen mehrere Betriebe, fragen wir zuerst die, die wir am längsten nicht gefragt haben; was ein Betrieb zahlt, ändert daran nichts.";

/**
 * Who receives the data, why and on what basis (Art. 13 DSGVO), which firms are listed (BGH, I ZR 55/16), and the terms,
 * which only bind visitors who could read them before sending (§ 305 Abs. 2 BGB).
 */
export function PrivacyNote() {
  const operator = useText("operator.legal_name");
  return (
    <div className="hint" data-above="2">
      <p>
        Kostenlos und unverbindlich. Es gelten unsere <a href="/agb">AGB</a>; lesen Sie auch die{" "}
        <a href="/datenschutz">Datenschutzerklärung</a>.
      </p>
      <details className="disclosure">
        <summary className="touch">Wer Ihre Angaben erhält, und wen wir vermitteln</summary>
        <p>
          Ihre Angaben erhalten wir
          <IfSetting name="operator.legal_name"> ({operator})</IfSetting>. Ihren Namen und Ihre Kontaktdaten geben wir
          an höchstens drei Fachbetriebe weiter, damit diese Ihnen Angebote machen können.
          <IfSetting name="handling.firms"> Zuvor fragen wir passende Fachbetriebe ohne diese Daten an.</IfSetting>{" "}
          Rechtsgrundlage ist Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;b DSGVO (vorvertragliche Maßnahmen auf Ihre Anfrage).
          Näheres steht in der <a href="/datenschutz">Datenschutzerklärung</a>.
        </p>
        <p data-above="2">
          Die Vermittlung ist für Sie kostenlos. Vermittelt werden nur Fachbetriebe, mit denen wir zusammenarbeiten.
          <IfSetting name="handling.commission"> Dafür erhalten wir von Fachbetrieben eine Provision.</IfSetting>
          <IfSetting name="handling.firms"> {RANKING}</IfSetting>
        </p>
      </details>
    </div>
  );
}
