import type { ReactNode } from "react";
import type { Article } from "../blog/articles.ts";
import { articlesIn, type Category, categoryPath, categoryText } from "../blog/categories.ts";

/** A page: its metadata and its content. */
export interface Page {
  meta: PageMeta;
  content: ReactNode;
}

export interface PageMeta {
  title: string;
  description: string;
  /** The encoded path of the canonical address; null if there is none, as on "not found" pages. */
  path: string | null;
  keywords: string[];
  indexable: boolean;
  type: "website" | "article";
  author?: string;
  /** The path of the social card. */
  image: string;
  /** What the card shows, if the page has its own. */
  imageAlt?: string;
  /** The name of the card's drawing, if it is not the harbour. */
  drawing?: string | undefined;
}

const HOME_TITLE = "Professionelle Taubenabwehr & Taubenschutz Hamburg | Experten";

/** An excerpt of at most this many characters is too short by itself. */
const SHORT_EXCERPT = 30;

/** Returns the document's title: a fixed one for the home page, otherwise the page's title and the site's name. */
export function documentTitle(meta: Pick<PageMeta, "title" | "path">, siteName: string): string {
  return meta.path === "/" ? HOME_TITLE : `${meta.title} | ${siteName}`;
}

export function articleMeta(article: Article): PageMeta {
  const path = `/blog/${article.id}`;
  return {
    path,
    title: article.title,
    description: articleDescription(article),
    keywords: [...new Set([...article.categories, ...article.tags])],
    indexable: true,
    type: "article",
    author: article.author,
    image: cardPath(path),
    imageAlt: article.image?.alt,
    drawing: drawingOf(article),
  };
}

/** Returns the metadata of a category's page. */
export function categoryMeta(category: Category): PageMeta {
  const { about, introduction } = categoryText(category.name);
  return {
    path: categoryPath(category.slug),
    title: `${category.name}: alle Artikel`,
    description: `Alle Artikel der Kategorie ${category.name}. ${about}`,
    keywords: [category.name, "Taubenabwehr", "Hamburg"],
    indexable: introduction !== null,
    type: "website",
    image: cardPath(`/blog/kategorie/${category.slug}`),
    drawing: drawingOf(typical(category)),
  };
}

function drawingOf(article: Article | undefined): string | undefined {
  return article?.image ? `articles/${article.id}` : undefined;
}

/** Returns the article that represents a category: the newest of those that list it earliest. */
function typical(category: Category): Article | undefined {
  const rank = (article: Article) => article.categories.indexOf(category.name);
  return articlesIn(category).toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Returns the excerpt, or a general sentence with the title if the excerpt is too short. */
export function articleDescription({ title, excerpt }: Pick<Article, "title" | "excerpt">): string {
  return excerpt.length > SHORT_EXCERPT ? excerpt : `Ratgeber zur Taubenabwehr in Hamburg: ${title}`;
}

/** Returns the metadata of a "not found" page, which has no path. */
export function missingMeta(title: string, description: string): PageMeta {
  return { path: null, title, description, keywords: [], indexable: false, type: "website", image: DEFAULT_CARD };
}

/** The size of a social card, the picture that networks show with a link. The build draws it (`build/cards.ts`). */
export const CARD_SIZE = { width: 1200, height: 630 };

/** The drawing for cards of pages without their own. */
export const HARBOUR = "articles/taubenabwehr-altona";

/** The card of the home page, and of pages without their own. */
export const DEFAULT_CARD = "/og-image.png";

/** Replaces the default card, which calls firms vetted, where the site may not do so. */
export const PLAIN_CARD = "/og-image-plain.png";

const LETTERS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** Returns the path of the card for the page at a decoded path. */
export function cardPath(path: string): string {
  return path === "/" ? DEFAULT_CARD : `/og${asciiPath(path)}.png`;
}

/** Returns a decoded path in ASCII for use as a file name, because not every network can request encoded addresses. */
export function asciiPath(path: string): string {
  return path.replace(/[äöüß]/g, (letter) => LETTERS[letter] ?? letter);
}
