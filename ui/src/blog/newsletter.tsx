import { IfSetting } from "../template/settings.tsx";

/**
 * Renders the newsletter's form at the end of the blog. `enhancements/newsletter.ts` handles it; until that has started,
 * the form does nothing (`method="dialog"`), and without JavaScript the block is hidden. If the server sends no mail,
 * nothing is submitted, and the text makes no promises.
 */
export function Newsletter() {
  return (
    <section className="newsletter" aria-labelledby="newsletter" data-needs-script="">
      <div>
        <h2 id="newsletter">Der Ratgeber als Newsletter</h2>
        <p className="soft" data-above="3">
          <IfSetting
            name="newsletter"
            otherwise="Neue Artikel zu Kosten, Recht und Methoden: Dieser Newsletter ist in Vorbereitung, und das Formular ist eine Vorschau. Es meldet Sie noch nicht an; Ihre Adresse wird weder übertragen noch gespeichert."
          >
            Neue Artikel zu Kosten, Recht und Methoden per E-Mail. Sie erhalten zuerst eine E-Mail mit einem Link und
            sind angemeldet, sobald Sie dort zustimmen. Abmelden können Sie sich mit jeder Ausgabe. Was wir dazu
            speichern, steht in der <a href="/datenschutz">Datenschutzerklärung</a>.
          </IfSetting>
        </p>
      </div>
      <form className="line-form" method="dialog" data-enhancement="newsletter">
        <label className="field-label" htmlFor="newsletter-email">
          E-Mail-Adresse
        </label>
        <input className="field-input" id="newsletter-email" type="email" required autoComplete="email" />
        <button className="button-plain" type="submit">
          Anmelden
        </button>
      </form>
    </section>
  );
}
