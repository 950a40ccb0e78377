import { Link } from "../routing/router.ts";
import { PageIntro } from "../components/page-intro.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { missingMeta } from "../meta/page-meta.ts";

const META = missingMeta("Seite nicht gefunden", "Die gesuchte Seite gibt es nicht oder nicht mehr.");

/**
 * Stands for every unknown path: one file serves them all, so it cannot print the path. By its `data-unknown-route`
 * the browser knows what to log.
 */
export function NotFoundPage() {
  return (
    <>
      <PageHead meta={META} />
      <div className="wrap page narrow" data-unknown-route="">
        <PageIntro
          title="Diese Seite gibt es nicht"
          lead="Vielleicht ist der Verweis veraltet, oder die Adresse enthält einen Tippfehler."
        />
        <p className="actions">
          <Link className="button" to="/">
            Zur Startseite
          </Link>
          <Link className="button-quiet" to="/sitemap">
            Alle Seiten ansehen
          </Link>
        </p>
      </div>
    </>
  );
}
