/**
 * The newsletter's form at the end of the blog. Nothing is sent (spec, section 4), and so the texts promise nothing:
 * no mail can come of it, and the address stays where it was typed. `enhancements/newsletter.ts` answers; without
 * JavaScript the block is hidden, and until it has come to life the form leads nowhere (`method="dialog"`).
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
