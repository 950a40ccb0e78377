import type { Article } from "../blog/articles.ts";
import { categoryText } from "../blog/category-texts.ts";
import { categoryPath, type Category } from "../blog/category.ts";
import type { Route } from "../routes/route.ts";
import { cardPath, DEFAULT_CARD } from "./card.ts";

/** What the head of a page says about it. */
export interface PageMeta {
  title: string;
  description: string;
  /** The encoded path of the canonical address; null where a page has none (not found). */
  path: string | null;
  keywords: string[];
  indexable: boolean;
  type: "website" | "article";
  author?: string;
  /** The path of the social card. */
  image: string;
  /** What the card's drawing shows, where it is the page's own. */
  imageAlt?: string;
}

const HOME_TITLE = "Professionelle Taubenabwehr & Taubenschutz Hamburg | Experten";

/** An excerpt of at most this many characters says too little to stand alone (spec, section 9). */
const SHORT_EXCERPT = 30;

/** The document's title: the home page's own, else the page's title and the site's name. */
export function documentTitle(meta: Pick<PageMeta, "title" | "path">, siteName: string): string {
  return meta.path === "/" ? HOME_TITLE : `${meta.title} | ${siteName}`;
}

export function routeMeta({ path, title, description, keywords, indexable }: Route): PageMeta {
  return { path, title, description, keywords, indexable, type: "website", image: cardPath(path) };
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
  };
}

/** The excerpt, or a general sentence with the title when the excerpt is too short. */
export function articleDescription({ title, excerpt }: Pick<Article, "title" | "excerpt">): string {
  return excerpt.length > SHORT_EXCERPT ? excerpt : `Ratgeber zur Taubenabwehr in Hamburg: ${title}`;
}

export function categoryMeta(category: Category): PageMeta {
  return {
    path: categoryPath(category.slug),
    title: `${category.name}: Ratgeber zur Taubenabwehr`,
    description: `Ratgeber der Kategorie ${category.name}. ${categoryText(category.name).about}`,
    keywords: [category.name, "Taubenabwehr", "Hamburg"],
    indexable: true,
    type: "website",
    image: cardPath(`/blog/kategorie/${category.slug}`),
  };
}

/** The head of a page that stands for something that does not exist. It may name no path of its own. */
export function missingMeta(title: string, description: string): PageMeta {
  return { path: null, title, description, keywords: [], indexable: false, type: "website", image: DEFAULT_CARD };
}
