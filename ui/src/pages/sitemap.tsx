import { articlePath, articles } from "../blog/articles.ts";
import { categoryPath, listCategories } from "../blog/categories.ts";
import { PageIntro } from "../components/page-intro.tsx";

interface Entry {
  to: string;
  label: string;
}

/** Files that the server generates. */
const FILES: Entry[] = [
  { to: "/sitemap.xml", label: "XML-Sitemap" },
  { to: "/sitemap-direct.xml", label: "XML-Sitemap (direkt)" },
  { to: "/blog/feed", label: "Atom-Feed der Artikel" },
];

/** Links to every page, and to the files for programs. */
export function SitemapPage({ main, legal }: { main: Entry[]; legal: Entry[] }) {
  return (
    <div className="layout-wrap layout-page">
      <PageIntro
        title="Seitenübersicht"
        lead="Alle Seiten und alle Ratgeberartikel auf einen Blick."
        drawing="ledges/pair"
      />
      <div className="sitemap">
        <List title="Hauptseiten" entries={main} />
        <List
          title="Ratgeberartikel"
          place="articles"
          entries={articles.map((article) => ({ to: articlePath(article), label: article.title }))}
        />
        <List
          title="Kategorien"
          place="categories"
          entries={listCategories().map(({ name, slug }) => ({ to: categoryPath(slug), label: name }))}
        />
        <List title="Rechtliches" entries={legal} />
        <List title="Für Programme" entries={FILES} />
      </div>
    </div>
  );
}

interface ListProps {
  title: string;
  entries: Entry[];
  /** Long lists have their own columns. */
  place?: "articles" | "categories";
}

function List({ title, entries, place }: ListProps) {
  return (
    <section data-place={place}>
      <h2>{title}</h2>
      <ul>
        {entries.map(({ to, label }) => (
          <li key={to}>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
