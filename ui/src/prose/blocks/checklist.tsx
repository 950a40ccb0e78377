import type { ReactNode } from "react";

/** A list to work through, on screen and on paper: a Markdown list inside `<Checklist>`. */
export function Checklist({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="checklist panel" data-edge="top">
      {title && <p className="label">{title}</p>}
      {children}
    </div>
  );
}
