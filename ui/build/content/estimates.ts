import type { Facts } from "./facts.ts";
import { elementsIn, isComponent, textsIn, type TextNode } from "./tree.ts";

/** Charts that show facts without naming them. */
const SHOWN_BY = new Map([["SeasonChart", ["season-peak"]]]);

/** Returns whose estimates a text shows, so that it can say so where it names its sources. */
export function estimatesIn(text: readonly TextNode[], facts: Facts): string[] {
  const named = [...elementsIn(text)]
    .filter(isComponent)
    .flatMap(({ type, props }) => [...textsIn(props), ...(SHOWN_BY.get(type) ?? [])]);
  const shown = named.flatMap((name) => (Object.hasOwn(facts, name) ? (facts[name] ?? []) : []));
  return distinct(shown.filter(({ isEstimate }) => isEstimate).map(({ origin }) => origin));
}

/** Returns origins once each, without those that another one says in more words. */
export function distinct(origins: readonly string[]): string[] {
  const all = [...new Set(origins)].sort();
  return all.filter((one) => !all.some((other) => other !== one && other.startsWith(one)));
}
