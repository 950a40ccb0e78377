import type { ReactNode } from "react";

interface Props {
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** The opening of a page: its heading and, where there is one, a sentence that says what it offers. */
export function PageIntro({ title, lead, children }: Props) {
  return (
    <div className="page-intro">
      <h1>{title}</h1>
      {lead && <p className="lead">{lead}</p>}
      {children}
    </div>
  );
}
