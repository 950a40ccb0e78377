import { Link } from "../routing/router.ts";
import { ArticleImage } from "./article-image.tsx";
import type { Article } from "./articles.ts";
import { categoryPath, categorySlug } from "./category.ts";
import { germanLongDate } from "./dates.ts";
import { readingMinutes } from "./reading-time.ts";

/** Way back, categories, title, excerpt and who wrote it when. */
export function ArticleHeader({ article }: { article: Article }) {
  return (
    <header className="article-header">
      <p>
        <Link className="back-link" to="/blog">
          Alle Artikel
        </Link>
      </p>
      <h1>{article.title}</h1>
      <p className="lead">{article.excerpt}</p>
      <p className="article-meta">
        <span>{article.author}</span>
        <time dateTime={article.date}>{germanLongDate(article.date)}</time>
        <span>{readingMinutes(article.words)} Min. Lesezeit</span>
        {isAboutHamburg(article) && <span className="badge">Hamburg</span>}
      </p>
      <ul className="chips" aria-label="Kategorien">
        {article.categories.map((name) => (
          <li key={name}>
            <Link className="chip" to={categoryPath(categorySlug(name))}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <ArticleImage article={article} className="article-image" place="top" />
    </header>
  );
}

function isAboutHamburg({ title, tags }: Article): boolean {
  return [title, ...tags].some((text) => text.includes("Hamburg"));
}
