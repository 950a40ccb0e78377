import { articlePath, articles, lastChange } from "../blog/articles.ts";
import { articlesIn, categoryPath, listCategories } from "../blog/categories.ts";
import { HARBOUR, PLAIN_CARD } from "./page-meta.ts";
import { pageAt, routes } from "./routes.tsx";

/** A page of the site, for prerendering and the server's manifest. */
export interface PageEntry {
  /** Decoded, for the server's comparisons. */
  path: string;
  /** Encoded, for links. */
  href: string;
  indexable: boolean;
  lastmod: string | null;
}

/** Returns every page: the fixed routes, the articles and the categories. */
export function listPages(): PageEntry[] {
  const fixed = routes.map(({ path, lastmod }) => entry(path, lastmod ?? (path === "/blog" ? newest(articles) : null)));
  const posts = articles.map((article) => entry(articlePath(article), lastChange(article)));
  const categories = listCategories().map((category) =>
    entry(categoryPath(category.slug), newest(articlesIn(category))),
  );
  return [...fixed, ...posts, ...categories];
}

function entry(href: string, lastmod: string | null): PageEntry {
  return { path: decodeURIComponent(href), href, indexable: pageAt(href).meta.indexable, lastmod };
}

function newest(list: { date: string; reviewed: string }[]): string | null {
  return list.map(lastChange).sort().at(-1) ?? null;
}

/** Each path stands for all missing pages of a kind, which do not name their path. */
export const missingPages = {
  default: "/nicht-gefunden",
  article: "/blog/nicht-gefunden",
  category: "/blog/kategorie/nicht-gefunden",
};

/** Returns the old paths of articles with their current ones. */
export function listAliases(): Record<string, string> {
  return Object.fromEntries(
    articles.flatMap((article) => article.aliases.map((alias) => [`/blog/${alias}`, articlePath(article)])),
  );
}

/** Returns the entries of the Atom feed, newest first. */
export function listFeed() {
  return articles.map(({ id, title, excerpt, date, categories }) => ({
    path: articlePath({ id }),
    title,
    excerpt,
    date,
    categories,
  }));
}

/** What the build needs to draw a social card. */
export interface Card {
  /** The path of the file. */
  image: string;
  title: string;
  /** The name of a drawing. */
  drawing: string;
}

/**
 * Returns every card. The home page's cards have the claims as titles, because its own title is meant for search engines;
 * the plain one does not call firms vetted.
 */
export function listCards(claim: string, plainClaim: string): Card[] {
  const cards = listPages().map(({ href }) => {
    const { image, title, drawing = HARBOUR } = pageAt(href).meta;
    return { image, title: href === "/" ? claim : title, drawing };
  });
  return [...cards, { image: PLAIN_CARD, title: plainClaim, drawing: HARBOUR }];
}
