import type { Nodes, Root } from "mdast";

/** Nodes that begin on a new line. */
const BLOCKS = new Set(["paragraph", "heading", "listItem", "tableCell", "mdxJsxFlowElement"]);

/** Returns a text without markup, with one line for each block. */
export function plainText(tree: Root) {
  return textOf(tree)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

function textOf(node: Nodes): string {
  if (node.type === "text" || node.type === "inlineCode") return node.value.replaceAll("\n", " ");
  if (!("children" in node)) return "";
  const text = node.children.map(textOf).join("");
  return BLOCKS.has(node.type) ? `${text}\n` : text;
}
