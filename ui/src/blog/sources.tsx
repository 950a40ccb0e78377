import { hostOf, OutwardLink } from "../components/outward-link.tsx";
import type { Article, Source } from "./articles.ts";
import { germanLongDate } from "../prose/facts/format.ts";

/** The kinds of sources, in the order in which they are shown. */
const KINDS: Record<Source["kind"], string> = {
  statute: "Gesetze und Verordnungen",
  ruling: "Urteile",
  study: "Studien und Fachaufsätze",
  authority: "Behörden, Verbände und Medien",
  technical: "Technische Regeln und Herstellerangaben",
};

/** Lists the sources of a text and what each supports, the origins of estimates, and when everything was last checked. */
export function Sources({ sources, reviewed, estimates }: Pick<Article, "sources" | "reviewed" | "estimates">) {
  const kinds = (Object.keys(KINDS) as Source["kind"][]).map((kind) => ({
    kind,
    found: sources.filter((source) => source.kind === kind),
  }));
  return (
    <section className="sources measure" aria-labelledby="quellen">
      <h2 id="quellen">Quellen</h2>
      <p className="strong">
        Zuletzt geprüft am <time dateTime={reviewed}>{germanLongDate(reviewed)}</time>
      </p>
      <p>Stand der Quellen: derselbe Tag, wenn kein anderer genannt ist.</p>
      {estimates.length > 0 && <p>Preise und andere Zahlen ohne Quelle: {estimates.join("; ")}.</p>}
      <details className="disclosure">
        <summary className="touch">{`${sources.length} Quellen, und was sie belegen`}</summary>
        {kinds
          .filter(({ found }) => found.length > 0)
          .map(({ kind, found }) => (
            <div key={kind}>
              <h3 data-above="5">{KINDS[kind]}</h3>
              <ul className="sources-list">
                {found.map((source) => (
                  <Entry key={`${source.title} ${source.reference}`} source={source} reviewed={reviewed} />
                ))}
              </ul>
            </div>
          ))}
      </details>
    </section>
  );
}

function Entry({ source, reviewed }: { source: Source; reviewed: string }) {
  const { title, publisher, reference, url, seen, supports } = source;
  return (
    <li>
      <p>
        {url ? <OutwardLink href={url}>{title}</OutwardLink> : title}
        {reference && `, ${reference}`}
        {`. ${publisher}`}
        {url && `, ${hostOf(url)}`}
        {seen !== reviewed && (
          <>
            , gesehen am <time dateTime={seen}>{germanLongDate(seen)}</time>
          </>
        )}
      </p>
      <p className="soft">Belegt: {supports}</p>
    </li>
  );
}
