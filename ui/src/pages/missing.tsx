import type { ReactNode } from "react";
import { NoticePage } from "../components/notice-page.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { missingMeta, type Page } from "./page-meta.ts";

/** Returns a page for all addresses of a kind that lead nowhere. They share one file, so it cannot name the address. */
function missing(title: string, description: string, content: ReactNode): Page {
  return { meta: missingMeta(title, description), content };
}

const DRAWING = findDrawing("scenes/not-found");

function missingInBlog(title: string, lead: string, wayBack: string): Page {
  return missing(
    title,
    lead,
    <NoticePage drawing={DRAWING} title={title} lead={lead}>
      <a className="button" href="/blog">
        {wayBack}
      </a>
    </NoticePage>,
  );
}

/** For unknown paths. By `data-unknown-route` the browser knows that it must log an error. */
export const MISSING_PAGE = missing(
  "Seite nicht gefunden",
  "Die gesuchte Seite gibt es nicht oder nicht mehr.",
  <div data-unknown-route="">
    <NoticePage
      drawing={DRAWING}
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
  </div>,
);

export const MISSING_ARTICLE = missingInBlog(
  "Artikel nicht gefunden",
  "Der von Ihnen gesuchte Artikel existiert leider nicht oder wurde entfernt.",
  "Zurück zum Blog",
);

/** For categories without articles. */
export const MISSING_CATEGORY = missingInBlog(
  "Kategorie nicht gefunden",
  "Keine Artikel in dieser Kategorie gefunden.",
  "Alle Artikel ansehen",
);
