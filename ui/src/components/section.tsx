import type { ReactNode } from "react";
import { Claim, type ClaimName } from "../template/claim.tsx";

interface HeadingProps {
  /** The target of anchors. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** A claim shown after the lead. */
  claim?: ClaimName;
}

/** Renders the heading and the lead of a section. */
export function SectionHeading({ id, title, lead, claim }: HeadingProps) {
  return (
    <div className="section-heading">
      <h2 id={id}>{title}</h2>
      {lead && (
        <p className="layout-lead" data-above="3">
          {lead} {claim && <Claim name={claim} />}
        </p>
      )}
    </div>
  );
}

interface SectionProps extends HeadingProps {
  className?: string;
  children: ReactNode;
}

/** Renders a section of a page with its own heading. */
export function Section({ className, children, ...heading }: SectionProps) {
  return (
    <section className={className ? `section ${className}` : "section"} aria-labelledby={heading.id}>
      <SectionHeading {...heading} />
      {children}
    </section>
  );
}
