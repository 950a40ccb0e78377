import { articlePath, articles, featuredArticles, latestArticles } from "../blog/articles.ts";
import { ArticleCard, ArticleCards } from "../blog/article-card.tsx";
import { CategoryList } from "../blog/category-list.tsx";
import { Newsletter } from "../blog/newsletter.tsx";
import { CallToAction } from "../components/call-to-action.tsx";
import { PageIntro } from "../components/page-intro.tsx";
import { Section } from "../components/section.tsx";
import { NavLink } from "../layout/nav-link.tsx";

/** Renders the list of articles. */
export function BlogPage() {
  const featured = featuredArticles();
  return (
    <div className="layout-wrap layout-page">
      <PageIntro
        title="Ratgeber Taubenabwehr"
        lead={`${articles.length} Artikel über Kosten, Recht, Methoden und Reinigung, geschrieben für Hamburger Häuser.`}
        drawing="ledges/pair"
      >
        <p className="page-intro-jump cluster screen-only">
          <a className="semibold touch" href="#neueste-artikel">
            Neueste Artikel
          </a>
          <a className="semibold touch" href="#kategorien">
            Kategorien
          </a>
        </p>
      </PageIntro>

      <Section id="empfohlen" title="Empfohlen">
        <div className="article-cards article-cards-featured">
          {featured.map((article, index) => (
            <ArticleCard key={article.id} article={article} isLarge={index === 0} />
          ))}
        </div>
      </Section>

      <Section id="neueste-artikel" title="Neueste Artikel">
        <ArticleCards articles={latestArticles(featured)} />
      </Section>

      <Section id="kategorien" title="Kategorien">
        <CategoryList />
      </Section>

      <Section id="alle-artikel" title="Alle Artikel">
        <ul className="page-list">
          {articles.map((article) => (
            <NavLink key={article.id} to={articlePath(article)} label={article.title} />
          ))}
          <NavLink to="/search" label="In allen Artikeln suchen" />
        </ul>
      </Section>

      <Newsletter />

      <CallToAction
        title="Lieber gleich ein Angebot?"
        text="Beschreiben Sie Ihr Taubenproblem in fünf kurzen Schritten. Kostenlos und unverbindlich."
      />
    </div>
  );
}
