import type { ReactNode } from "react";

interface Props {
  title: ReactNode;
  lead?: ReactNode;
  /** Stands on the rule below the heading, on wide screens. */
  drawing?: ReactNode;
  children?: ReactNode;
}

/** Opens a page with its heading and, if given, a sentence that says what it offers. */
export function PageIntro({ title, lead, drawing, children }: Props) {
  return (
    <div className="page-intro">
      <div className="page-intro-text">
        <h1>{title}</h1>
        {lead && (
          <p className="layout-lead" data-above="3">
            {lead}
          </p>
        )}
        {children}
      </div>
      {drawing}
    </div>
  );
}
