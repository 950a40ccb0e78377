import { Link } from "../routing/router.ts";
import { articlePath, findArticle, relatedArticles, type Article } from "../blog/articles.ts";
import { ArticleCard } from "../blog/article-card.tsx";
import { ArticleHeader } from "../blog/article-header.tsx";
import { CallToAction } from "../components/call-to-action.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { ServiceArea } from "../blog/service-area.tsx";
import { articleMeta } from "../meta/page-meta.ts";
import { ProseBody } from "../prose/prose-body.tsx";
import { ArticleMissing } from "../blog/article-missing.tsx";

export function ArticlePage({ id }: { id: string }) {
  const article = findArticle(id);
  return article ? <Found article={article} /> : <ArticleMissing />;
}

function Found({ article }: { article: Article }) {
  const related = relatedArticles(article);
  return (
    <>
      <PageHead meta={articleMeta(article)} />
      <div className="wrap page">
        <article className="article">
          <ArticleHeader article={article} />
          <ProseBody id={`article-${article.id}`} />
          <ServiceArea />
          <p className="article-tags">
            <span>Schlagwörter:</span> {article.tags.join(", ")}
          </p>
        </article>
        <CallToAction
          title="Was kostet es bei Ihnen?"
          text="Fünf kurze Angaben, bis zu drei Angebote geprüfter Betriebe aus Hamburg und Umgebung."
        />
        {related.length > 0 && (
          <section aria-labelledby="verwandt">
            <h2 id="verwandt">Das könnte Sie auch interessieren</h2>
            <div className="cards">
              {related.map((other) => (
                <ArticleCard key={articlePath(other)} article={other} />
              ))}
            </div>
          </section>
        )}
        <p className="actions">
          <Link className="button-quiet" to="/blog">
            Zurück zum Blog
          </Link>
        </p>
      </div>
    </>
  );
}
