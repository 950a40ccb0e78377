import type { Facts } from "./facts.ts";
import { elementsIn, isComponent, textsIn, type TextNode } from "./tree.ts";

/** Charts that show facts without naming them. */
const SHOWN_BY = new Map([["SeasonChart", ["season-peak"]]]);

/** Returns the origins of the estimates that a text shows, which it lists with its sources. */
export function estimatesIn(text: readonly TextNode[], facts: Facts): string[] {
  const named = [...elementsIn(text)]
    .filter(isComponent)
    .flatMap(({ type, props }) => [...textsIn(props), ...(SHOWN_BY.get(type) ?? [])]);
  const shown = named.flatMap((name) => (Object.hasOwn(facts, name) ? (facts[name] ?? []) : []));
  return distinct(shown.filter(({ isEstimate }) => isEstimate).map(({ origin }) => origin));
}

/** Returns each origin once, without those that are the beginning of another. */
export function distinct(origins: readonly string[]): string[] {
  const all = [...new Set(origins)].sort();
  return all.filter((one) => !all.some((other) => other !== one && other.startsWith(one)));
}
