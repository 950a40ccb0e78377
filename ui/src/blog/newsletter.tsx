/**
 * Renders the newsletter's form at the end of the blog. Nothing is sent (spec, section 4), so the texts promise
 * nothing. `enhancements/newsletter.ts` answers. Without JavaScript the block is hidden, and before the enhancement
 * starts the form does nothing (`method="dialog"`). Its input is not a `Field`, which React must control; this one is
 * static HTML.
 */
export function Newsletter() {
  return (
    <section className="newsletter" aria-labelledby="newsletter" data-needs-script="">
      <div>
        <h2 id="newsletter">Der Ratgeber als Newsletter</h2>
        <p>
          Neue Artikel zu Kosten, Recht und Methoden: Dieser Newsletter ist in Vorbereitung, und es wird noch nichts
          versandt. Ihre Adresse wird hier weder übertragen noch gespeichert.
        </p>
      </div>
      <form className="newsletter-form" method="dialog" data-enhancement="newsletter">
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
