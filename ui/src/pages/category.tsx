import { ArticleCards } from "../blog/article-card.tsx";
import { articlesIn, type Category, categoryText } from "../blog/categories.ts";
import { CategoryList } from "../blog/category-list.tsx";
import { ActiveDistricts, HamburgInformation } from "../blog/local-information.tsx";
import { slot } from "../template/template.tsx";
import { CallToAction } from "../components/call-to-action.tsx";
import { PageIntro } from "../components/page-intro.tsx";
import { Hamburg } from "../prose/blocks/hamburg.tsx";

/** Lists the articles of a category, and what else its readers want to know. */
export function CategoryPage({ category }: { category: Category }) {
  const { heading, intro, about, introduction, problem, propertyType } = categoryText(category.name);
  return (
    <div className="layout-wrap layout-page">
      <p>
        <a className="back-link touch screen-only" href="/blog">
          Alle Artikel
        </a>
      </p>
      <PageIntro title={heading} lead={`${intro} ${about}`} />
      {introduction && (
        <p className="measure" data-below="5">
          {introduction}
        </p>
      )}
      <ArticleCards articles={articlesIn(category)} heading="h2" />
      <ActiveDistricts />
      <HamburgInformation />
      <section aria-labelledby="hilfe">
        <h2 id="hilfe">Wer in Hamburg hilft und zuständig ist</h2>
        <Hamburg title="Stellen und Vereine" />
      </section>
      <section aria-labelledby="kategorien">
        <h2 id="kategorien">Weitere Kategorien</h2>
        <CategoryList />
      </section>
      <CallToAction
        title="Sie möchten das Problem abgeben?"
        text={`Fragen Sie kostenlos ${slot("site.offered")} aus Hamburg und Umgebung an.`}
        problem={problem}
        propertyType={propertyType}
      />
    </div>
  );
}
