/** The number by which an inquiry is known. */
export function Reference({ number }: { readonly number: string }) {
  return (
    <p className="thanks-reference">
      Ihre Referenznummer: <strong className="thanks-number">{number}</strong>
    </p>
  );
}

/** Leads to the visitor's private page. */
export function PrivatePageLink({ path }: { readonly path: string }) {
  return (
    <>
      <p>
        Auf Ihrer persönlichen Seite sehen Sie, wie es um Ihre Anfrage steht. Dort können Sie auch Angaben ergänzen oder
        die Anfrage zurückziehen. Bewahren Sie die Adresse auf, und geben Sie sie nicht weiter.
      </p>
      <p>
        Fotos helfen: Auf Ihrer Seite können Sie die ganze Fassade, die Stelle mit den Tauben und eine Nahaufnahme
        zeigen; so spart sich der Betrieb oft einen Besuch und kann genauer rechnen.
      </p>
      <a className="button-quiet" href={path} data-private-page="">
        Ihre Anfrage ansehen
      </a>
    </>
  );
}
