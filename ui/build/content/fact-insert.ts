import type { Nodes, Parents, PhrasingContent, Root } from "mdast";
import type { MdxJsxTextElement } from "mdast-util-mdx-jsx";
import type { VFile } from "vfile";
import type { Complain, Component } from "./attributes.ts";
import type { Form } from "./fact-text.ts";
import type { Facts } from "./facts.ts";
import { hasAttribute, literalAttribute } from "./attributes.ts";
import { amountText, factText } from "./fact-text.ts";
import { findFact, partsOf } from "./fact-use.ts";
import { paybackOf } from "./payback.ts";
import { totalOf } from "./total.ts";

/**
 * Returns a remark plugin that writes figures into a text: `<Fact>` becomes the words of a fact, `<Origin>` where it
 * comes from, `<Total>` the words of a sum, `<Payback>` the years after which something has paid, and `<Assumption>`,
 * which marks the figures of an example, becomes its content.
 */
export function insertFacts(facts: Facts) {
  return () => (tree: Root, file: VFile) => insert(tree, facts, file);
}

function insert(node: Parents, facts: Facts, file: VFile) {
  for (const child of node.children) if ("children" in child) insert(child, facts, file);
  Object.assign(node, { children: node.children.flatMap((child) => replacement(child, facts, file)) });
}

function replacement(node: Nodes, facts: Facts, file: VFile): Nodes[] {
  if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return [node];
  if (node.name === "Assumption") return node.children;
  const write = WORDS.get(node.name ?? "");
  if (!write) return [node];
  const complain: Complain = (message) => file.fail(message, node);
  const phrase = unbroken(
    write(node, facts, { isDative: hasAttribute(node, "dative"), isLeast: hasAttribute(node, "least") }, complain),
  );
  return node.type === "mdxJsxFlowElement" ? [{ type: "paragraph", children: phrase }] : phrase;
}

/** The components that become words. */
const WORDS = new Map<string, (node: Component, facts: Facts, form: Form, complain: Complain) => string>([
  [
    "Fact",
    (node, facts, form, complain) => {
      const name = String(literalAttribute(node, "name"));
      const fact = findFact(facts, name, complain);
      return hasAttribute(node, "bare") ? amountText(fact, form) : factText(fact, form);
    },
  ],
  ["Origin", (node, facts, _, complain) => findFact(facts, String(literalAttribute(node, "name")), complain).origin],
  [
    "Total",
    (node, facts, form, complain) => {
      const over = literalAttribute(node, "over");
      const share = literalAttribute(node, "share") ?? 1;
      if (typeof share !== "number") return complain("<Total> wants share={0.1}");
      const options = {
        over: over === undefined ? null : String(over),
        share,
        isPartial: hasAttribute(node, "partial"),
      };
      return factText(totalOf(facts, partsOf(node, "of", complain), options, complain), form);
    },
  ],
  [
    "Payback",
    (node, facts, form, complain) => {
      const [cost, saves, upkeep] = [
        partsOf(node, "cost", complain),
        partsOf(node, "saves", complain),
        partsOf(node, "upkeep", complain),
      ];
      return factText(paybackOf(facts, { cost, saves, upkeep }, complain), form);
    },
  ],
]);

/** Keeps a range on one line. Non-breaking spaces do not prevent a break at its dash. */
function unbroken(text: string): PhrasingContent[] {
  const parts = text.split(/( )/);
  return parts.map((value) => (value.includes("–") ? span(value) : { type: "text", value }));
}

function span(value: string): MdxJsxTextElement {
  return {
    type: "mdxJsxTextElement",
    name: "span",
    attributes: [{ type: "mdxJsxAttribute", name: "className", value: "fact" }],
    children: [{ type: "text", value }],
  };
}
