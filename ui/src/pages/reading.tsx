import type { ReactNode } from "react";
import type { Heading } from "../prose/headings.ts";
import { TableOfContents } from "../prose/blocks/table-of-contents.tsx";

/** The fewest sections for which a text gets a table of contents. */
const MANY_SECTIONS = 3;

/** Lays out a long text with its table of contents, which is beside it on wide screens. */
export function Reading({ headings, children }: { headings: Heading[]; children: ReactNode }) {
  const sections = headings.filter(({ level }) => level === 2);
  return (
    <div className="reading">
      {sections.length >= MANY_SECTIONS && <TableOfContents headings={headings} />}
      <div className="reading-text">{children}</div>
    </div>
  );
}
