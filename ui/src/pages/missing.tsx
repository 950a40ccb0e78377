import type { ReactNode } from "react";
import { NoticePage } from "../components/notice-page.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { missingMeta, type Page } from "./page-meta.ts";

/** Returns a page for all addresses of a kind that lead nowhere. They share one file, so it cannot name the address. */
function missing(title: string, description: string, content: ReactNode): Page {
  return { meta: missingMeta(title, description), content };
}

const DRAWING = findDrawing("scenes/not-found");
const ARTICLE = "Der von Ihnen gesuchte Artikel existiert leider nicht oder wurde entfernt.";
const CATEGORY = "Keine Artikel in dieser Kategorie gefunden.";

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

export const MISSING_ARTICLE = missing(
  "Artikel nicht gefunden",
  ARTICLE,
  <NoticePage drawing={DRAWING} title="Artikel nicht gefunden" lead={ARTICLE}>
    <a className="button" href="/blog">
      Zurück zum Blog
    </a>
  </NoticePage>,
);

/** For categories without articles. */
export const MISSING_CATEGORY = missing(
  "Kategorie nicht gefunden",
  CATEGORY,
  <NoticePage drawing={DRAWING} title="Kategorie nicht gefunden" lead={CATEGORY}>
    <a className="button" href="/blog">
      Alle Artikel ansehen
    </a>
  </NoticePage>,
);
