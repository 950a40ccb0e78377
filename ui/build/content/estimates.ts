import type { Root } from "mdast";
import type { Facts } from "./facts.ts";
import { visit } from "unist-util-visit";
import { attributeTexts, COMPONENTS } from "./attributes.ts";

/** Charts that show facts without naming them. */
const SHOWN_BY = new Map([["SeasonChart", ["season-peak"]]]);

/** Returns whose estimates a text shows, so that it can say so where it names its sources. */
export function estimatesIn(tree: Root, facts: Facts): string[] {
  const found = new Set<string>();
  visit(tree, COMPONENTS, (node) => {
    for (const name of [...attributeTexts(node), ...(SHOWN_BY.get(node.name ?? "") ?? [])]) {
      const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
      if (fact?.isEstimate) found.add(fact.origin);
    }
  });
  return distinct([...found]);
}

/** Returns origins once each, without those that another one says in more words. */
export function distinct(origins: readonly string[]): string[] {
  const all = [...new Set(origins)].sort();
  return all.filter((one) => !all.some((other) => other !== one && other.startsWith(one)));
}
