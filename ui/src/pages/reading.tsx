import type { ReactNode } from "react";
import type { Heading } from "../../build/content/headings.ts";
import { TableOfContents } from "../prose/blocks/table-of-contents.tsx";

/** Texts with at least this many sections get a table of contents. */
const MANY_SECTIONS = 3;

interface Props {
  headings: Heading[];
  /** Shown before the table of contents on small screens, and above the text on wide ones. */
  opening?: ReactNode;
  children: ReactNode;
}

/** Lays out a long text with its table of contents, which is beside it on wide screens. */
export function Reading({ headings, opening, children }: Props) {
  const sections = headings.filter(({ level }) => level === 2);
  return (
    <div className="reading columns">
      {opening && <div className="reading-opening">{opening}</div>}
      {sections.length >= MANY_SECTIONS && <TableOfContents headings={headings} />}
      <div className="reading-text">{children}</div>
    </div>
  );
}
