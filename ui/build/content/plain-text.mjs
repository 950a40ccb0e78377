/** @import { Nodes, Root } from "mdast" */
import { visit } from "unist-util-visit";

/** Nodes that begin on a new line. */
const BLOCKS = new Set(["paragraph", "heading", "listItem", "tableCell", "mdxJsxFlowElement"]);

/**
 * Returns a text without markup, with one line for each block.
 *
 * @param {Root} tree
 */
export function plainText(tree) {
  return textOf(tree)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

/**
 * @param {Nodes} node
 * @returns {string}
 */
function textOf(node) {
  if (node.type === "text" || node.type === "inlineCode") return node.value.replaceAll("\n", " ");
  if (!("children" in node)) return "";
  const text = node.children.map(textOf).join("");
  return BLOCKS.has(node.type) ? `${text}\n` : text;
}

/**
 * Counts the words of a text.
 *
 * @param {Root} tree
 */
export function countWords(tree) {
  let count = 0;
  visit(tree, (node) => {
    if (node.type !== "text" && node.type !== "inlineCode") return;
    count += node.value.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  });
  return count;
}
