import type { ReactNode } from "react";
import { Drawing } from "../drawings/drawing.tsx";
import { findDrawing } from "../drawings/drawings.ts";

interface Props {
  title: ReactNode;
  lead?: ReactNode;
  /** The name of the drawing on the rule below the heading, on wide screens. */
  drawing?: string;
  children?: ReactNode;
}

/** Renders a page's heading and an optional lead that says what it offers. */
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
      {drawing && <Drawing source={findDrawing(drawing)} />}
    </div>
  );
}
