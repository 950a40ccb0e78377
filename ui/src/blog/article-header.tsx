import { Picture } from "../components/picture.tsx";
import { type Article, articleBody } from "./articles.ts";
import { categoryPath, categorySlug } from "./categories.ts";
import { germanLongDate } from "../prose/facts/format.ts";
import { readingMinutes, shownWords } from "./reading-time.tsx";

/** Renders an article's header: the way back, categories, title, excerpt, author and date, and the picture. */
export function ArticleHeader({ article }: { article: Article }) {
  return (
    <header className="article-header">
      <p className="article-back">
        <a className="back-link touch screen-only" href="/blog">
          Alle Artikel
        </a>
      </p>
      <div className="article-opening">
        <ul className="cluster" data-gap="line" aria-label="Kategorien">
          {article.categories.map((name) => (
            <li key={name}>
              <a className="accent strong touch" href={categoryPath(categorySlug(name))}>
                {name}
              </a>
            </li>
          ))}
        </ul>
        <h1>{article.title}</h1>
        <p className="layout-lead" data-above="4">
          {article.excerpt}
        </p>
        <p className="article-meta hint cluster" data-above="4">
          <span>{article.author}</span>
          <time dateTime={article.date}>{germanLongDate(article.date)}</time>
          <ReviewDay day={article.reviewed} />
          <span>{readingMinutes(shownWords(articleBody(article)))} Min. Lesezeit</span>
          {isAboutHamburg(article) && <span className="article-badge semibold">Hamburg</span>}
        </p>
      </div>
      {article.image && <Picture source={article.image} className="article-image" place="top" />}
    </header>
  );
}

/** Renders the day on which every statement was last checked. */
export function ReviewDay({ day }: { day: string }) {
  return (
    <span>
      Aktualisiert am <time dateTime={day}>{germanLongDate(day)}</time>
    </span>
  );
}

function isAboutHamburg({ title, tags }: Article): boolean {
  return [title, ...tags].some((text) => text.includes("Hamburg"));
}
