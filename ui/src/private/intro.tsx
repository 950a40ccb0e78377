import type { ReactNode } from "react";
import { Drawing } from "../drawings/drawing.tsx";
import { findDrawing } from "../drawings/drawings.ts";

interface Props {
  title: ReactNode;
  lead: ReactNode;
}

/** Opens a private page as `PageIntro` does other pages; its words may depend on what the server fills in. */
export function Intro({ title, lead }: Props) {
  return (
    <div className="page-intro">
      <div className="page-intro-text">
        <h1>{title}</h1>
        <p className="layout-lead">{lead}</p>
      </div>
      <Drawing source={findDrawing("ledges/pair")} />
    </div>
  );
}
