import { articleBody, articlePath, relatedArticles, type Article } from "../blog/articles.ts";
import { ArticleCard } from "../blog/article-card.tsx";
import { ArticleHeader } from "../blog/article-header.tsx";
import { Sources } from "../blog/sources.tsx";
import { ArticleSummary } from "../blog/article-summary.tsx";
import { ArticleTags } from "../blog/article-tags.tsx";
import { either } from "../template/template.tsx";
import { CallToAction } from "../components/call-to-action.tsx";
import { InquiryLink, SubjectProvider, type Subject } from "../components/inquiry-link.tsx";
import { Section } from "../components/section.tsx";
import { ServiceArea } from "../blog/service-area.tsx";
import { ProseBody } from "../prose/prose-body.tsx";
import { Reading } from "./reading.tsx";

/** Renders an article with its sources, and leads on from it. */
export function ArticlePage({ article }: { article: Article }) {
  const related = relatedArticles(article);
  return (
    <SubjectProvider value={subjectOf(article)}>
      <div className="layout-wrap layout-page">
        <article className="article">
          <ArticleHeader article={article} />
          <Reading headings={article.headings} opening={<ArticleSummary article={article} />}>
            <ProseBody id={articleBody(article)} />
            <Sources sources={article.sources} reviewed={article.reviewed} estimates={article.estimates} />
            <ServiceArea />
            <p className="article-action">
              <InquiryLink />
            </p>
            <ArticleTags tags={article.tags} />
          </Reading>
        </article>
        {related.length > 0 && (
          <Section id="verwandt" title="Das könnte Sie auch interessieren">
            <div className="article-cards">
              {related.map((other) => (
                <ArticleCard key={articlePath(other)} article={other} />
              ))}
            </div>
          </Section>
        )}
        <CallToAction
          title="Was kostet es bei Ihnen?"
          text={`Fünf kurze Angaben, bis zu drei Angebote ${either("site.vetted", "geprüfter Fachbetriebe", "von Fachbetrieben")} aus Hamburg und Umgebung.`}
        />
      </div>
    </SubjectProvider>
  );
}

function subjectOf({ problem, property_type: propertyType }: Article): Subject {
  return { problem, propertyType };
}
