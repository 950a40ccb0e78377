import type { ReactNode } from "react";
import type { Heading } from "../prose/headings.ts";
import { TableOfContents } from "../prose/blocks/table-of-contents.tsx";

/** Below this many sections a text is seen at a glance and needs no list of them. */
const MANY_SECTIONS = 3;

/** A long text: its table of contents, on wide screens beside it, and the text. */
export function Reading({ headings, children }: { headings: Heading[]; children: ReactNode }) {
  const sections = headings.filter(({ level }) => level === 2);
  return (
    <div className="reading">
      {sections.length >= MANY_SECTIONS && <TableOfContents headings={headings} />}
      <div className="reading-text">{children}</div>
    </div>
  );
}
