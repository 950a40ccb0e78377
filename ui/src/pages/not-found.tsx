import { NoticePage } from "../components/notice-page.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { PageHead } from "../meta/page-head.tsx";
import { missingMeta } from "../meta/page-meta.ts";
import { Link } from "../routing/router.ts";

const META = missingMeta("Seite nicht gefunden", "Die gesuchte Seite gibt es nicht oder nicht mehr.");

/**
 * Stands for every unknown path: one file serves them all, so it cannot print the path. By its `data-unknown-route`
 * the browser knows what to log.
 */
export function NotFoundPage() {
  return (
    <>
      <PageHead meta={META} />
      <div data-unknown-route="">
        <NoticePage
          drawing={findDrawing("scenes/not-found")}
          title="Diese Seite gibt es nicht"
          lead="Vielleicht ist der Verweis veraltet, oder die Adresse enthält einen Tippfehler. Zwei haben schon nachgesehen."
        >
          <Link className="button" to="/">
            Zur Startseite
          </Link>
          <Link className="button-quiet" to="/sitemap">
            Alle Seiten ansehen
          </Link>
        </NoticePage>
      </div>
    </>
  );
}
