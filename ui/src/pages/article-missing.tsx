import { NoticePage } from "../components/notice-page.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { PageHead } from "../meta/page-head.tsx";
import { missingMeta } from "../meta/page-meta.ts";

const MESSAGE = "Der von Ihnen gesuchte Artikel existiert leider nicht oder wurde entfernt.";

/** Renders the page for all unknown articles. They share one file, so it cannot name the id. */
export function ArticleMissing() {
  return (
    <>
      <PageHead meta={missingMeta("Artikel nicht gefunden", MESSAGE)} />
      <NoticePage drawing={findDrawing("scenes/not-found")} title="Artikel nicht gefunden" lead={MESSAGE}>
        <a className="button" href="/blog">
          Zurück zum Blog
        </a>
      </NoticePage>
    </>
  );
}
