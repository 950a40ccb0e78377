import type { ReactNode } from "react";
import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

const LABELS = { tipp: "Tipp", achtung: "Achtung", recht: "Recht" };

interface Props {
  art: keyof typeof LABELS;
  children: ReactNode;
}

/** A remark that stands out: a tip, a warning or what the law says. */
export function Hinweis({ art, children }: Props) {
  const label = LABELS[art];
  if (!label) throw new Error(`<Hinweis art="${art}">: known are ${Object.keys(LABELS).join(", ")}.`);
  return (
    <aside className="hinweis" role="note" aria-label={label} data-art={art}>
      <Drawing source={findDrawing(`notes/${art}`)} className="hinweis-drawing" />
      <div>
        <p className="block-label">{label}</p>
        {children}
      </div>
    </aside>
  );
}
