import { findFact } from "./facts.ts";
import { amountText, factText } from "./format.ts";

interface Props {
  name: string;
  /** Only the amount, where what it is for stands elsewhere. */
  bare?: boolean;
}

/** A figure of `content/facts.toml` in a text. */
export function Fact({ name, bare = false }: Props) {
  const fact = findFact(name);
  return <span className="fact">{bare ? amountText(fact) : factText(fact)}</span>;
}
