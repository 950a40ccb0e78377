import { Fragment, type ReactNode } from "react";
import { If, slot } from "../template/template.tsx";

/** The name of a fact, its value and, if it may be unknown, the condition on which it is known. */
type FactLine = readonly [name: string, text: ReactNode, test?: string];

/** Lists facts with their names. */
export function Facts({ lines }: { lines: readonly FactLine[] }) {
  return (
    <dl className="summary-list">
      {lines.map(([name, text, test]) => {
        const line = (
          <div className="summary-line">
            <dt className="summary-name hint">{name}</dt>
            <dd className="summary-text">{text}</dd>
          </div>
        );
        return <Fragment key={name}>{test ? <If test={test}>{line}</If> : line}</Fragment>;
      })}
    </dl>
  );
}

/** The subject of an inquiry, without anything about the person. */
export const INQUIRY: readonly FactLine[] = [
  ["Ort", slot("inquiry.place_name")],
  ["Gebäude", slot("inquiry.building")],
  ["Problem", slot("inquiry.problems | joined"), "inquiry.problems"],
  ["Betroffen", slot("inquiry.locations | joined"), "inquiry.locations"],
  ["Eingegangen", slot("inquiry.received")],
  ["Referenz", slot("inquiry.reference")],
];
