import { type Article, articlePath } from "./articles.ts";
import { Picture } from "../components/picture.tsx";
import { ReviewDay } from "./article-header.tsx";
import { germanLongDate } from "../prose/facts/format.ts";

interface Props {
  article: Article;
  /** The heading level of the card, to fit its section. */
  heading?: "h2" | "h3";
  isLarge?: boolean;
}

/** The most categories that a card names; the rest are only counted. */
const SHOWN_CATEGORIES = 2;

export function ArticleCard({ article, heading: Heading = "h3", isLarge = false }: Props) {
  const rest = article.categories.length - SHOWN_CATEGORIES;
  return (
    <article className="article-card card" data-large={isLarge || undefined}>
      {article.image && (
        <Picture source={article.image} className="article-card-image" place={isLarge ? "top" : "below"} />
      )}
      <p className="article-card-categories accent semibold small">
        {article.categories.slice(0, SHOWN_CATEGORIES).join(" · ")}
        {rest > 0 && <span> +{rest} mehr</span>}
      </p>
      <Heading className="article-card-title minor">
        <a href={articlePath(article)}>{article.title}</a>
      </Heading>
      <p className="article-card-excerpt hint">{article.excerpt}</p>
      <p className="article-card-meta">
        {article.author} · <time dateTime={article.date}>{germanLongDate(article.date)}</time>
        <br />
        <ReviewDay day={article.reviewed} />
      </p>
      <p className="article-card-more semibold small" aria-hidden="true">
        Weiterlesen
      </p>
    </article>
  );
}

/** Shows articles side by side. */
export function ArticleCards({ articles, ...look }: Omit<Props, "article"> & { articles: Article[] }) {
  return (
    <div className="article-cards">
      {articles.map((article) => (
        <ArticleCard key={article.id} article={article} {...look} />
      ))}
    </div>
  );
}
