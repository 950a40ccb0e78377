/** @import { Nodes, Parents, PhrasingContent, Root } from "mdast" */
/** @import { MdxJsxTextElement } from "mdast-util-mdx-jsx" */
/** @import { VFile } from "vfile" */
/** @import { Complain, Component } from "./attributes.mjs" */
/** @import { Form } from "./fact-text.mjs" */
/** @import { Facts } from "./facts.mjs" */
import { hasAttribute, literalAttribute } from "./attributes.mjs";
import { amountText, factText } from "./fact-text.mjs";
import { findFact, partsOf } from "./fact-use.mjs";
import { paybackOf } from "./payback.mjs";
import { totalOf } from "./total.mjs";

/**
 * Returns a remark plugin that writes figures into a text: `<Fact>` becomes the words of a fact, `<Origin>` where it
 * comes from, `<Total>` the words of a sum, `<Payback>` the years after which something has paid, and `<Assumption>`, which marks the figures of an example,
 * becomes its content.
 *
 * @param {Facts} facts
 */
export function insertFacts(facts) {
  return () => (/** @type {Root} */ tree, /** @type {VFile} */ file) => insert(tree, facts, file);
}

/**
 * @param {Parents} node
 * @param {Facts} facts
 * @param {VFile} file
 */
function insert(node, facts, file) {
  for (const child of node.children) if ("children" in child) insert(child, facts, file);
  Object.assign(node, { children: node.children.flatMap((child) => replacement(child, facts, file)) });
}

/**
 * @param {Nodes} node
 * @param {Facts} facts
 * @param {VFile} file
 * @returns {Nodes[]}
 */
function replacement(node, facts, file) {
  if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return [node];
  if (node.name === "Assumption") return node.children;
  const write = WORDS.get(node.name ?? "");
  if (!write) return [node];
  /** @type {Complain} */
  const complain = (message) => file.fail(message, node);
  const phrase = unbroken(
    write(node, facts, { isDative: hasAttribute(node, "dative"), isLeast: hasAttribute(node, "least") }, complain),
  );
  return node.type === "mdxJsxFlowElement" ? [{ type: "paragraph", children: phrase }] : phrase;
}

/**
 * The components that become words.
 *
 * @type {Map<string, (node: Component, facts: Facts, form: Form, complain: Complain) => string>}
 */
const WORDS = new Map([
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

/**
 * Keeps a range on one line. Non-breaking spaces do not prevent a break at its dash.
 *
 * @param {string} text
 * @returns {PhrasingContent[]}
 */
function unbroken(text) {
  const parts = text.split(/( )/);
  return parts.map((value) => (value.includes("–") ? span(value) : { type: "text", value }));
}

/**
 * @param {string} value
 * @returns {MdxJsxTextElement}
 */
function span(value) {
  return {
    type: "mdxJsxTextElement",
    name: "span",
    attributes: [{ type: "mdxJsxAttribute", name: "className", value: "fact" }],
    children: [{ type: "text", value }],
  };
}
