import type { ComponentType } from "react";
import { findArticle } from "../blog/articles.ts";
import { findCategory } from "../blog/categories.ts";
import { slot } from "../template/template.tsx";
import { ArticlePage } from "./article.tsx";
import { BlogPage } from "./blog.tsx";
import { CategoryPage } from "./category.tsx";
import { CookieSettingsPage } from "./cookie-settings.tsx";
import { FaqPage } from "./faq.tsx";
import { reviewed } from "./faq-texts.ts";
import { HomePage } from "./home/home.tsx";
import { MISSING_ARTICLE, MISSING_CATEGORY, MISSING_PAGE } from "./missing.tsx";
import { ownDescription } from "./own-text.tsx";
import { articleMeta, cardPath, categoryMeta, type Page } from "./page-meta.ts";
import { QuestionnairePage } from "./questionnaire.tsx";
import { SearchPage } from "./search.tsx";
import { SitemapPage } from "./sitemap.tsx";
import { type Text, TextPage, textPages } from "./text-page.tsx";
import { ThankYouPage } from "./thank-you.tsx";

/** A page with a fixed path. */
export interface Route {
  path: string;
  /** The page's name in titles, lists and breadcrumbs. */
  title: string;
  description: string;
  keywords: string[];
  /** The list in the sitemap page and the footer. Hidden pages are also missing from the sitemap, and `noindex`. */
  group: "main" | "legal" | "hidden";
  /** YYYY-MM-DD, if the date of the last change is known. */
  lastmod?: string | null;
  /** The drawing of its social card, if it is not the harbour. */
  drawing?: string;
  Content: ComponentType;
}

/** Every fixed route, in the order of the sitemap page. For the build only: browsers ask the server. */
export const routes: Route[] = [
  {
    path: "/",
    title: "Startseite",
    description: `Taubenproblem in Hamburg? Kostenlos ${slot("site.offered")} für Spikes, Netze, Reinigung und Vergrämung anfragen.`,
    keywords: ["Taubenabwehr Hamburg", "Taubenschutz", "Taubenspikes", "Taubennetz", "Taubenkot entfernen"],
    group: "main",
    Content: HomePage,
  },
  {
    path: "/fragebogen",
    title: "Angebote anfragen",
    description: `In fünf kurzen Schritten ${slot("site.offered")} für Taubenabwehr in Hamburg und Umgebung anfragen. Kostenlos und unverbindlich.`,
    keywords: ["Taubenabwehr Angebot", "Taubenabwehr Anfrage", "Fachbetrieb Hamburg"],
    group: "main",
    drawing: "articles/hamburg-taubenabwehr-dienst",
    Content: QuestionnairePage,
  },
  {
    path: "/blog",
    title: "Ratgeber Taubenabwehr",
    description:
      "Ratgeber zu Kosten, Recht, Methoden und Reinigung: Was gegen Tauben an Balkon, Dach und Fassade in Hamburg wirklich hilft.",
    keywords: ["Ratgeber Tauben", "Taubenabwehr Tipps", "Tauben Hamburg"],
    group: "main",
    drawing: "articles/taubenspikes-vs-taubennetze",
    Content: BlogPage,
  },
  {
    path: "/faq",
    title: "Häufige Fragen",
    description:
      "Antworten zu Methoden, Tierschutz, Montage, Kosten, Lebensdauer, Denkmalschutz und Garantie bei der Taubenabwehr.",
    keywords: ["Taubenabwehr Fragen", "Taubenabwehr FAQ", "Tauben vertreiben"],
    group: "main",
    drawing: "articles/ultraschall-taubenabwehr",
    lastmod: reviewed,
    Content: FaqPage,
  },
  {
    path: "/sitemap",
    title: "Seitenübersicht",
    description: "Alle Seiten und alle Ratgeberartikel auf einen Blick.",
    keywords: ["Sitemap", "Seitenübersicht"],
    group: "main",
    drawing: "articles/hausverwaltung-bei-tauben-einbinden",
    Content: () => <SitemapPage main={linksTo("main")} legal={linksTo("legal")} />,
  },
  ...textPages.map(textRoute),
  {
    path: "/danke",
    title: "Vielen Dank für Ihre Anfrage",
    description: "Ihre Anfrage ist eingegangen. So geht es weiter.",
    keywords: ["Taubenabwehr Anfrage", "Taubenabwehr Angebote"],
    group: "hidden",
    drawing: "articles/taubenabwehr-balkon-hamburg",
    Content: ThankYouPage,
  },
  {
    path: "/search",
    title: "Suche",
    description: "Suche in allen Ratgeberartikeln und häufigen Fragen zur Taubenabwehr.",
    keywords: ["Suche", "Ratgeber Tauben"],
    group: "hidden",
    drawing: "articles/tauben-vergraemen-hamburg",
    Content: SearchPage,
  },
];

function textRoute(page: Text): Route {
  const { name, title, description, keywords, updated } = page;
  return {
    path: `/${name}`,
    title,
    description: ownDescription(name, title, description),
    keywords,
    group: name === "fuer-betriebe" ? "main" : "legal",
    lastmod: updated,
    drawing: name === "cookie-einstellungen" ? "pictures/cookie" : "pictures/small-print",
    Content: name === "cookie-einstellungen" ? CookieSettingsPage : () => <TextPage page={page} />,
  };
}

function linksTo(group: Route["group"]) {
  return routes.filter((route) => route.group === group).map(({ path, title }) => ({ to: path, label: title }));
}

/** Returns the page at an encoded path. For the build only: browsers ask the server. */
export function pageAt(path: string): Page {
  const route = routes.find((one) => one.path === path);
  if (route) return fixedPage(route);
  const [, kind, name] = /^\/blog\/(kategorie\/)?([^/]+)$/.exec(path) ?? [];
  if (!name) return MISSING_PAGE;
  return kind ? categoryPage(decodeURIComponent(name)) : articlePage(name);
}

function fixedPage({ Content, path, title, description, keywords, group, drawing }: Route): Page {
  const indexable = group !== "hidden";
  return {
    meta: { path, title, description, keywords, indexable, type: "website", image: cardPath(path), drawing },
    content: <Content />,
  };
}

function categoryPage(slug: string): Page {
  const category = findCategory(slug);
  if (!category) return MISSING_CATEGORY;
  return { meta: categoryMeta(category), content: <CategoryPage category={category} /> };
}

function articlePage(id: string): Page {
  const article = findArticle(id);
  return article ? { meta: articleMeta(article), content: <ArticlePage article={article} /> } : MISSING_ARTICLE;
}
