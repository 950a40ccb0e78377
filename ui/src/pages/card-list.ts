import { type Article, articles } from "../blog/articles.ts";
import { articlesIn, type Category, listCategories } from "../blog/categories.ts";
import { routes } from "./routes.tsx";
import { articleMeta, cardPath, categoryMeta, PLAIN_CARD } from "./page-meta.ts";

/** What the build needs to draw a social card. */
export interface Card {
  /** The path of the file. */
  image: string;
  title: string;
  /** The name of a drawing. */
  drawing: string;
}

/** The drawings of fixed routes other than the legal pages; the rest shows the harbour. */
const DRAWINGS: Readonly<Record<string, string>> = {
  "/fragebogen": "articles/hamburg-taubenabwehr-dienst",
  "/blog": "articles/taubenspikes-vs-taubennetze",
  "/faq": "articles/ultraschall-taubenabwehr",
  "/sitemap": "articles/hausverwaltung-bei-tauben-einbinden",
  "/danke": "articles/taubenabwehr-balkon-hamburg",
  "/cookie-einstellungen": "pictures/cookie",
};
const LEGAL = "pictures/small-print";
const HARBOUR = "articles/taubenabwehr-altona";

/**
 * Returns every card. The claims are titles on the home page's cards, because the page's own is meant for search engines; the
 * plain one does not call firms vetted.
 */
export function listCards(claim: string, plainClaim: string): Card[] {
  const fixed = routes.map(({ path, title, group }) => ({
    image: cardPath(path),
    title: path === "/" ? claim : title,
    drawing: DRAWINGS[path] ?? (group === "legal" ? LEGAL : HARBOUR),
  }));
  const posts = articles.map((article) => ({ ...card(articleMeta(article)), drawing: drawingOf(article) }));
  const categories = listCategories().map((category) => ({
    ...card(categoryMeta(category)),
    drawing: drawingOf(typical(category)),
  }));
  const plain = { image: PLAIN_CARD, title: plainClaim, drawing: HARBOUR };
  return [...fixed, plain, ...posts, ...categories];
}

function card({ image, title }: { image: string; title: string }) {
  return { image, title };
}

function drawingOf(article: Article | undefined): string {
  return article?.image?.src.endsWith(".svg") ? `articles/${article.id}` : HARBOUR;
}

/** Returns the article that represents a category: of those that list it earliest, the newest. */
function typical(category: Category): Article | undefined {
  const rank = (article: Article) => article.categories.indexOf(category.name);
  return articlesIn(category).toSorted((a, b) => rank(a) - rank(b))[0];
}
