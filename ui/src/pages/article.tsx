import { type Article, articleBody, relatedArticles } from "../blog/articles.ts";
import { ArticleCards } from "../blog/article-card.tsx";
import { ArticleHeader } from "../blog/article-header.tsx";
import { Sources } from "../blog/sources.tsx";
import { If, slot } from "../template/template.tsx";
import { CallToAction } from "../components/call-to-action.tsx";
import { InquiryLink, SubjectProvider } from "../components/inquiry-link.tsx";
import { Section } from "../components/section.tsx";
import { ProseBody } from "../prose/prose-body.tsx";
import { Reading } from "./reading.tsx";
import { MapFigure } from "../blog/map/map-figure.tsx";
import { MapLegend } from "../blog/map/map-legend.tsx";
import { ServiceAreaTable } from "../blog/map/service-area-table.tsx";

/** Renders an article with its sources, and links onward. */
export function ArticlePage({ article }: { article: Article }) {
  const related = relatedArticles(article);
  // Answers the title's question in a few sentences, before the text does so at length.
  const summary = (
    <>
      <aside className="article-summary panel measure" aria-labelledby="kurz-gesagt">
        <h2 id="kurz-gesagt" className="label">
          Kurz gesagt
        </h2>
        <ProseBody id={`summary-${article.id}`} />
      </aside>
      <p className="screen-only" data-above="3">
        Was kostet es bei Ihnen? <InquiryLink look="semibold touch" />
      </p>
    </>
  );
  return (
    <SubjectProvider value={{ problem: article.problem, propertyType: article.property_type }}>
      <div className="layout-wrap layout-page">
        <article className="article">
          <ArticleHeader article={article} />
          <Reading headings={article.headings} opening={summary}>
            <ProseBody id={articleBody(article)} />
            <Sources sources={article.sources} reviewed={article.reviewed} estimates={article.estimates} />
            <ServiceArea />
            <p className="screen-only" data-above="6">
              <InquiryLink />
            </p>
            <ArticleTags tags={article.tags} />
          </Reading>
        </article>
        {related.length > 0 && (
          <Section id="verwandt" title="Das könnte Sie auch interessieren" className="screen-only">
            <ArticleCards articles={related} />
          </Section>
        )}
        <CallToAction
          title="Was kostet es bei Ihnen?"
          text={`Fünf kurze Angaben, und Sie haben ${slot("site.offered")} aus Hamburg und Umgebung angefragt.`}
        />
      </div>
    </SubjectProvider>
  );
}

/** Lists the tags of an article. Unlike categories, they are not links. */
function ArticleTags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <div className="article-tags hint measure">
      <p className="strong" id="schlagwoerter">
        Schlagwörter
      </p>
      <ul className="article-tag-list cluster" aria-labelledby="schlagwoerter">
        {tags.map((tag) => (
          <li key={tag}>{tag}</li>
        ))}
      </ul>
    </div>
  );
}

/** Shows where firms work, if there are any. Those of the sample operator serve the whole city, on certain days. */
function ServiceArea() {
  return (
    <If test="site.sample or site.area">
      <section className="prose" aria-labelledby="einsatzgebiet">
        <h2 id="einsatzgebiet">Einsatzgebiet in Hamburg</h2>
        <If test="site.sample" otherwise={<p className="strong">Postleitzahlen {slot("site.area")}</p>}>
          <div className="map-overview cluster" data-gap="5">
            <MapFigure />
            <MapLegend />
          </div>
          <ServiceAreaTable />
        </If>
      </section>
    </If>
  );
}
