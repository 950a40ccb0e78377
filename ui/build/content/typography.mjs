/** @import { Root } from "hast" */
import { visit } from "unist-util-visit";

/**
 * What must not stand alone at the end or the beginning of a line: a number and its unit, a paragraph and its number.
 *
 * @type {[RegExp, string][]}
 */
const PAIRS = [
  [/(\d)\s(?=(?:EUR|Euro|Prozent|m²|mm|m|cm|km|kg|kHz|Jahre?n?|Punkten)(?![\p{L}\d]))/gu, "$1\u00a0"],
  [/(§§?|Art\.|Abs\.|Nr\.|Satz)\s(?=\d)/g, "$1\u00a0"],
  [/\s–\s/g, "\u00a0– "],
];

/**
 * Sets spaces that do not break into the text of a compiled tree; code stays as it is.
 *
 * @param {Root} tree
 */
export function keepTogether(tree) {
  visit(tree, "text", (node, _, parent) => {
    if (parent?.type === "element" && parent.tagName === "code") return;
    node.value = PAIRS.reduce((text, [pattern, pair]) => text.replace(pattern, pair), node.value);
  });
}
