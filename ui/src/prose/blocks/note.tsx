import type { ReactNode } from "react";
import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

const LABELS = { tip: "Tipp", warning: "Achtung", law: "Recht" };

interface Props {
  kind: keyof typeof LABELS;
  children: ReactNode;
}

/** A highlighted remark: a tip, a warning or a point of law. */
export function Note({ kind, children }: Props) {
  const label = LABELS[kind];
  if (!label) throw new Error(`<Note kind="${kind}">: known are ${Object.keys(LABELS).join(", ")}.`);
  return (
    <aside className="note" role="note" aria-label={label} data-kind={kind}>
      <Drawing source={findDrawing(`notes/${kind}`)} />
      <div>
        <p className="label">{label}</p>
        {children}
      </div>
    </aside>
  );
}
