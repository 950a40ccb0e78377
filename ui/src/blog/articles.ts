import generated from "../../generated/articles.json" with { type: "json" };
import type { Article as ArticleText } from "../../build/content/articles.ts";

/** The metadata of an article: its front matter, with dates as YYYY-MM-DD, and what the build has extracted from the text. */
export type Article = ArticleText["meta"];

/** A source of an article's statements. */
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

/** Returns the day of the last change, because articles are reviewed after publication. */
export function lastChange({ date, reviewed }: Pick<Article, "date" | "reviewed">): string {
  return reviewed > date ? reviewed : date;
}

/** The most articles that a list shows. */
const FEATURED = 3;
const LATEST = 6;
const RELATED = 3;

export function featuredArticles(all = articles): Article[] {
  return all.filter((article) => article.featured).slice(0, FEATURED);
}

/** Returns the newest articles, except those already on the page. */
export function latestArticles(shown: readonly Article[] = [], all = articles): Article[] {
  return all.filter((article) => !shown.includes(article)).slice(0, LATEST);
}

/** Returns up to 3 other articles that share categories or tags, those with the most in common first, then the newest. */
export function relatedArticles(article: Article, all = articles): Article[] {
  const namesOf = ({ categories, tags }: Article) => new Set([...categories, ...tags]);
  const shared = (other: Article) => [...namesOf(other)].filter((name) => namesOf(article).has(name)).length;
  const others = all.filter((other) => other.id !== article.id && shared(other) > 0);
  return others.toSorted((a, b) => shared(b) - shared(a)).slice(0, RELATED);
}
