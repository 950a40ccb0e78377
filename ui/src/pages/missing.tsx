import type { ReactNode } from "react";
import { PageIntro } from "../components/page-intro.tsx";
import { Drawing } from "../drawings/drawing.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { missingMeta, type Page } from "./page-meta.ts";

interface Props {
  title: string;
  lead: string;
  /** Links to other pages. */
  children: ReactNode;
}

/** Says with a drawing and in words that there is nothing here, and where to go instead. */
function Missing({ title, lead, children }: Props) {
  return (
    <div className="layout-wrap layout-page missing columns">
      <div>
        <PageIntro title={title} lead={lead} />
        <p className="actions">{children}</p>
      </div>
      <Drawing source={findDrawing("scenes/not-found")} className="missing-drawing" />
    </div>
  );
}

/** For unknown paths. `data-unknown-route` makes the browser log an error. */
export const MISSING_PAGE: Page = {
  meta: missingMeta("Seite nicht gefunden", "Die gesuchte Seite gibt es nicht oder nicht mehr."),
  content: (
    <div data-unknown-route="">
      <Missing
        title="Diese Seite gibt es nicht"
        lead="Vielleicht ist der Verweis veraltet, oder die Adresse enthält einen Tippfehler. Zwei haben schon nachgesehen."
      >
        <a className="button" href="/">
          Zur Startseite
        </a>
        <a className="button-quiet" href="/sitemap">
          Alle Seiten ansehen
        </a>
      </Missing>
    </div>
  ),
};

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

/** Returns the page for all missing addresses of a kind. They share one file, so it cannot name the address. */
function missingInBlog(title: string, lead: string, wayBack: string): Page {
  const content = (
    <Missing title={title} lead={lead}>
      <a className="button" href="/blog">
        {wayBack}
      </a>
    </Missing>
  );
  return { meta: missingMeta(title, lead), content };
}
