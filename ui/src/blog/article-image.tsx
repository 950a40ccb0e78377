import type { Article } from "./articles.ts";

/** The article's picture, if it has one. */
export function ArticleImage({ article }: { article: Article }) {
  if (!article.image) return null;
  return <img className="article-image" src={article.image.src} alt={article.image.alt} loading="lazy" />;
}
