import type { ReactNode } from "react";
import { Drawing, type DrawingSource } from "../drawings/drawing.tsx";
import { PageIntro } from "./page-intro.tsx";

interface Props {
  drawing: DrawingSource;
  title: string;
  lead: string;
  /** Links to other pages. */
  children: ReactNode;
}

/** Renders a page with a single message: a drawing, what happened, and where to go from here. */
export function NoticePage({ drawing, title, lead, children }: Props) {
  return (
    <div className="layout-wrap layout-page notice-page columns">
      <div className="notice-page-text">
        <PageIntro title={title} lead={lead} />
        <p className="actions">{children}</p>
      </div>
      <Drawing source={drawing} className="notice-page-drawing" />
    </div>
  );
}
