import type { Heading } from "../headings.ts";

interface Entry extends Heading {
  parts: Heading[];
}

/** Anchors to the sections of a text. Folded on phones; open, and kept in view, beside the text on wide screens. */
export function TableOfContents({ headings }: { headings: Heading[] }) {
  return (
    <nav className="contents" aria-label="Inhaltsverzeichnis">
      <details>
        <summary>Inhalt</summary>
        <ol>
          {nest(headings).map((entry) => (
            <li key={entry.id}>
              <Anchor heading={entry} />
              {entry.parts.length > 0 && (
                <ol>
                  {entry.parts.map((part) => (
                    <li key={part.id}>
                      <Anchor heading={part} />
                    </li>
                  ))}
                </ol>
              )}
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

function Anchor({ heading: { id, text } }: { heading: Heading }) {
  return <a href={`#${id}`}>{text}</a>;
}

/** Puts the headings of the third level below those of the second. One that has none above stands for itself. */
function nest(headings: Heading[]): Entry[] {
  const entries: Entry[] = [];
  for (const heading of headings) {
    const above = entries.at(-1);
    if (heading.level > 2 && above) above.parts.push(heading);
    else entries.push({ ...heading, parts: [] });
  }
  return entries;
}
