import type { ReactNode } from "react";
import type { Heading } from "../../../build/content/headings.ts";
import { If } from "../../template/template.tsx";

interface Entry extends Heading {
  parts: Heading[];
}

/** Links to the sections of a text. Folded on phones; open and kept in view beside the text on wide screens. */
export function TableOfContents({ headings }: { headings: Heading[] }) {
  return (
    <Contents>
      {nest(headings).map((entry) => (
        <Item key={entry.id} heading={entry}>
          {entry.parts.length > 0 && (
            <ol>
              {entry.parts.map((part) => (
                <Item key={part.id} heading={part} />
              ))}
            </ol>
          )}
        </Item>
      ))}
    </Contents>
  );
}

/** Frames the entries of a table of contents. */
export function Contents({ children }: { children: ReactNode }) {
  return (
    <nav className="table-of-contents measure screen-only" aria-label="Inhaltsverzeichnis">
      <details className="fold">
        <summary className="label">Inhalt</summary>
        <ol>{children}</ol>
      </details>
    </nav>
  );
}

function Item({ heading: { id, text, settings }, children }: { heading: Heading; children?: ReactNode }) {
  const item = (
    <li>
      <a href={`#${id}`}>{text}</a>
      {children}
    </li>
  );
  const test = settings.map((name) => `site.${name}`).join(" and ");
  return test === "" ? item : <If test={test}>{item}</If>;
}

/** Nests headings of the third level below those of the second. One without a heading above is a separate entry. */
function nest(headings: Heading[]): Entry[] {
  const entries: Entry[] = [];
  for (const heading of headings) {
    const above = entries.at(-1);
    if (heading.level > 2 && above) above.parts.push(heading);
    else entries.push({ ...heading, parts: [] });
  }
  return entries;
}
