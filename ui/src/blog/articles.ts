import generated from "../../generated/articles.json" with { type: "json" };
import type { Article as ArticleText } from "../../build/content/articles.ts";

/** What the build knows of an article: its front matter, of which dates are YYYY-MM-DD, and what it has read in the text. */
export type Article = ArticleText["meta"];

/** What a statement of an article rests on. */
export type Source = Article["sources"][number];

/** All articles, newest first. */
export const articles = generated as Article[];

export function findArticle(id: string | undefined): Article | undefined {
  return articles.find((article) => article.id === id);
}

export function articlePath(article: Pick<Article, "id">): string {
  return `/blog/${article.id}`;
}

/** Returns the id of an article's text for `ProseBody`. */
export function articleBody(article: Pick<Article, "id">): string {
  return `article-${article.id}`;
}

/** Returns the day of the last change: articles are reviewed after they were published. */
export function lastChange({ date, reviewed }: Pick<Article, "date" | "reviewed">): string {
  return reviewed > date ? reviewed : date;
}

/** How many articles the lists show at most. */
const FEATURED = 3;
const LATEST = 6;
const RELATED = 3;

export function featuredArticles(all = articles): Article[] {
  return all.filter((article) => article.featured).slice(0, FEATURED);
}

/** Returns the newest articles, without those that the page already shows. */
export function latestArticles(shown: readonly Article[] = [], all = articles): Article[] {
  return all.filter((article) => !shown.includes(article)).slice(0, LATEST);
}

/** Returns up to 3 other articles that share categories or tags: those that share most come first, then the newest. */
export function relatedArticles(article: Article, all = articles): Article[] {
  const namesOf = ({ categories, tags }: Article) => new Set([...categories, ...tags]);
  const shared = (other: Article) => [...namesOf(other)].filter((name) => namesOf(article).has(name)).length;
  const others = all.filter((other) => other.id !== article.id && shared(other) > 0);
  return others.toSorted((a, b) => shared(b) - shared(a)).slice(0, RELATED);
}
