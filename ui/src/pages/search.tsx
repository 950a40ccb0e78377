import { articlePath, articles } from "../blog/articles.ts";
import { PageIntro } from "../components/page-intro.tsx";
import { InlineScript } from "../inline/inline-script.tsx";
import { entries, services } from "./faq-texts.ts";

/** Everything searchable, with the searched words that are not shown. */
const findable = [
  ...articles.map(({ id, title, excerpt, summary, headings, tags }) => {
    const words = [summary, ...headings.map(({ text }) => text), ...tags];
    return { href: articlePath({ id }), title, text: excerpt, words: words.join(" ") };
  }),
  ...[...entries, ...services].map(({ id, question, answer, group }) => {
    return { href: `/faq#${id}`, title: question, text: `Häufige Frage: ${group}`, words: answer };
  }),
];

/** Lists all articles and questions; `inline/search.js` keeps those that contain the query's words. */
export function SearchPage() {
  return (
    <div className="layout-wrap layout-page">
      <PageIntro title="Suche" lead="In allen Artikeln und häufigen Fragen." drawing="ledges/pair" />
      <form className="line-form measure" role="search">
        <label className="field-label" htmlFor="suchbegriff">
          Suchbegriff
        </label>
        <input className="field-input" id="suchbegriff" type="search" name="q" />
        <button className="button-plain" type="submit">
          Suchen
        </button>
      </form>
      <p className="strong" data-above="5" data-below="5" role="status" />
      <ul className="stack measure" data-gap="5">
        {findable.map(({ href, title, text, words }) => (
          <li key={href} data-words={words}>
            <h2 className="minor">
              <a href={href}>{title}</a>
            </h2>
            <p className="soft" data-above="2">
              {text}
            </p>
          </li>
        ))}
      </ul>
      <p className="actions">
        <a className="button-quiet" href="/blog">
          Alle Artikel ansehen
        </a>
      </p>
      <InlineScript name="search" />
    </div>
  );
}
