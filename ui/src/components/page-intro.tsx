import type { ReactNode } from "react";

interface Props {
  title: string;
  lead?: string;
  /** Stands on the rule below the heading, on screens that have room for it. */
  drawing?: ReactNode;
  children?: ReactNode;
}

/** The opening of a page: its heading and, where there is one, a sentence that says what it offers. */
export function PageIntro({ title, lead, drawing, children }: Props) {
  return (
    <div className="page-intro">
      <div className="page-intro-text">
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
      {drawing}
    </div>
  );
}
