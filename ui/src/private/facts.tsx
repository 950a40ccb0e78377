import type { ReactNode } from "react";
import { If, slot } from "../template/template.tsx";

interface FactProps {
  name: string;
  children: ReactNode;
}

/** Renders one line of a list of facts. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="summary-line">
      <dt className="summary-name hint">{name}</dt>
      <dd className="summary-text">{children}</dd>
    </div>
  );
}

/** Lists what an inquiry is about, without anything about the person. */
export function InquiryFacts() {
  return (
    <dl className="summary-list">
      <Fact name="Ort">{slot("inquiry.place_name")}</Fact>
      <Fact name="Gebäude">{slot("inquiry.building")}</Fact>
      <If test="inquiry.problems">
        <Fact name="Problem">{slot("inquiry.problems | joined")}</Fact>
      </If>
      <If test="inquiry.locations">
        <Fact name="Betroffen">{slot("inquiry.locations | joined")}</Fact>
      </If>
      <Fact name="Eingegangen">{slot("inquiry.received")}</Fact>
      <Fact name="Referenz">{slot("inquiry.reference")}</Fact>
    </dl>
  );
}

/** Shows what is not in a field: what the visitor has written, and the kind of building. */
export function Addition() {
  return (
    <If test="inquiry.addition">
      <h3 data-above="5">Ergänzende Angaben</h3>
      <blockquote className="quote" data-above="2">
        {slot("inquiry.addition")}
      </blockquote>
    </If>
  );
}
