import generated from "../../../generated/facts.json" with { type: "json" };

/** A figure of `content/facts.toml`. For a single value `low` equals `high`; a range may be open at one end. */
export interface Fact {
  name: string;
  label: string;
  low: number | null;
  high: number | null;
  /** Whether the figure is approximate. */
  rough: boolean;
  unit: Unit;
  meaning: string;
  /** The fact with the minimum price of such an order, however little it measures. */
  minimum: string | null;
  /** The origin of the figure, and since when: "Schätzung der Redaktion, Stand November 2026, mit Mehrwertsteuer". */
  origin: string;
  /** Whether it was estimated rather than measured or published. */
  isEstimate: boolean;
  /** For sentences: "25–80 Euro je m²". */
  text: string;
  /** Without what it refers to: "25–80 Euro". */
  amount: string;
}

export interface Unit {
  name: string;
  /** What the number counts, such as "Euro"; null for months, which have names of their own. */
  word: string | null;
  /** What the amount refers to, such as "je Meter". */
  per: string | null;
}

const facts: Record<string, Fact> = generated;

/** Returns the origins of figures, each once. */
export function originsOf(figures: readonly Fact[]): string {
  return [...new Set(figures.map(({ origin }) => origin))].join("; ");
}

/** Returns a fact by its name. Only for pages that are rendered at build time: an unknown name fails the build. */
export function findFact(name: string): Fact {
  const found = facts[name];
  if (!found) throw new Error(`There is no fact ${name} in content/facts.toml.`);
  return found;
}
