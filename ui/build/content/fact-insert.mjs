import { hasAttribute, literalAttribute } from "./attributes.mjs";
import { amountText, factText } from "./fact-text.mjs";
import { totalOf } from "./total.mjs";

/**
 * A remark plugin that writes figures into a text: `<Fact>` becomes the fact's words, `<Total>` those of a sum, and
 * `<Annahme>`, the mark of an example's own figures, leaves only what it holds.
 */
export function insertFacts(facts) {
  return () => (tree, file) => insert(tree, facts, file);
}

function insert(node, facts, file) {
  if (!node.children) return;
  for (const child of node.children) insert(child, facts, file);
  node.children = node.children.flatMap((child) => replacement(child, facts, file));
}

function replacement(node, facts, file) {
  if (node.name === "Annahme") return node.children;
  const text = wordsOf(node, facts, (message) => file.fail(message, node));
  if (text === null) return [node];
  const phrase = unbroken(text);
  return node.type === "mdxJsxFlowElement" ? [{ type: "paragraph", children: phrase }] : phrase;
}

/** The components that become words. */
const WORDS = {
  Fact: (node, facts, form) => {
    const fact = facts[literalAttribute(node, "name")];
    return hasAttribute(node, "bare") ? amountText(fact, form) : factText(fact, form);
  },
  Total: (node, facts, form, complain) => {
    const total = totalOf(facts, literalAttribute(node, "of"), literalAttribute(node, "over"), complain);
    return factText(total, form);
  },
};

function wordsOf(node, facts, complain) {
  const write = Object.hasOwn(WORDS, node.name ?? "") ? WORDS[node.name] : null;
  return write && write(node, facts, { isDative: hasAttribute(node, "dativ") }, complain);
}

/** A range must not be torn apart at its dash; non-breaking spaces cannot prevent that. */
function unbroken(text) {
  const parts = text.split(/( )/);
  return parts.map((value) => (value.includes("–") ? span(value) : { type: "text", value }));
}

function span(value) {
  const className = { type: "mdxJsxAttribute", name: "className", value: "fact" };
  return { type: "mdxJsxTextElement", name: "span", attributes: [className], children: [{ type: "text", value }] };
}
