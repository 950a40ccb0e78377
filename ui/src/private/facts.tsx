import type { ReactNode } from "react";
import { If, slot } from "../template/template.tsx";

/** Renders one line of a list of facts, or none where a condition is not met. */
export function Fact({ name, test, children }: { name: string; test?: string; children: ReactNode }) {
  const line = (
    <div className="summary-line">
      <dt className="summary-name hint">{name}</dt>
      <dd className="summary-text">{children}</dd>
    </div>
  );
  return test === undefined ? line : <If test={test}>{line}</If>;
}

/** Lists what an inquiry is about, without anything about the person. */
export function InquiryFacts() {
  return (
    <dl className="summary-list">
      <Fact name="Ort">{slot("inquiry.place_name")}</Fact>
      <Fact name="Gebäude">{slot("inquiry.building")}</Fact>
      <Fact name="Problem" test="inquiry.problems">
        {slot("inquiry.problems | joined")}
      </Fact>
      <Fact name="Betroffen" test="inquiry.locations">
        {slot("inquiry.locations | joined")}
      </Fact>
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
