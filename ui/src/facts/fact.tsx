import { Fragment } from "react";
import { findFact } from "./facts.ts";
import { amountText, factText } from "./format.ts";

interface Props {
  name: string;
  /** Only the amount, where what it is for stands elsewhere. */
  bare?: boolean;
}

/** A figure of `content/facts.toml` in a text. No part of it is torn apart at the dash of a range. */
export function Fact({ name, bare = false }: Props) {
  const fact = findFact(name);
  const parts = (bare ? amountText(fact) : factText(fact)).split(" ");
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index > 0 && " "}
      {part.includes("–") ? <span className="fact">{part}</span> : part}
    </Fragment>
  ));
}
