import type { ReactNode } from "react";
import { SectionHeading } from "./section-heading.tsx";

interface Props {
  /** The heading's id, for anchors. */
  id: string;
  title: string;
  lead?: string;
  className?: string;
  children: ReactNode;
}

/** Renders a part of a page with a heading of its own. */
export function Section({ id, title, lead, className, children }: Props) {
  return (
    <section className={className ? `section ${className}` : "section"} aria-labelledby={id}>
      <SectionHeading id={id} title={title} lead={lead} />
      {children}
    </section>
  );
}
