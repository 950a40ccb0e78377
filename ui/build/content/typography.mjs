/** @import { Root } from "hast" */
import { visit } from "unist-util-visit";

/**
 * Where a line must not break: between a number and its unit, a paragraph sign and its number, before a dash.
 *
 * @type {[RegExp, string][]}
 */
const PAIRS = [
  [/(\d)\s(?=(?:EUR|Euro|Prozent|m²|mm|m|cm|km|kg|kHz|Jahre?n?|Punkten)(?![\p{L}\d]))/gu, "$1\u00a0"],
  [/(§§?|Art\.|Abs\.|Nr\.|Satz)\s(?=\d)/g, "$1\u00a0"],
  [/\s–\s/g, "\u00a0– "],
];

/**
 * Puts non-breaking spaces into the text of a compiled tree, except in code.
 *
 * @param {Root} tree
 */
export function keepTogether(tree) {
  visit(tree, "text", (node, _, parent) => {
    if (parent?.type === "element" && parent.tagName === "code") return;
    node.value = PAIRS.reduce((text, [pattern, pair]) => text.replace(pattern, pair), node.value);
  });
}
