import { ArticleCard } from "../blog/article-card.tsx";
import { latestArticles } from "../blog/articles.ts";

/** How many articles the thank-you page suggests. */
const TEASERS = 3;

/** Renders the static part of the thank-you page: articles to read while waiting for offers. */
export function ThankYouArticles() {
  return (
    <section aria-labelledby="teasers-heading">
      <h2 id="teasers-heading">Während Sie warten</h2>
      <div className="article-cards">
        {latestArticles()
          .slice(0, TEASERS)
          .map((article) => (
            <ArticleCard key={article.id} article={article} />
          ))}
      </div>
    </section>
  );
}
