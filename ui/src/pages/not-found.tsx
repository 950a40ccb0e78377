import { NoticePage } from "../components/notice-page.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { PageHead } from "../meta/page-head.tsx";
import { missingMeta } from "../meta/page-meta.ts";

const META = missingMeta("Seite nicht gefunden", "Die gesuchte Seite gibt es nicht oder nicht mehr.");

/**
 * Renders the page for all unknown paths. They share one file, so it cannot name the path. By `data-unknown-route` the
 * browser knows that it must log an error.
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
          <a className="button" href="/">
            Zur Startseite
          </a>
          <a className="button-quiet" href="/sitemap">
            Alle Seiten ansehen
          </a>
        </NoticePage>
      </div>
    </>
  );
}
