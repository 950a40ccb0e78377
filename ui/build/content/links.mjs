/** @import { Root } from "mdast" */
/** @import { VFile } from "vfile" */
import { visit } from "unist-util-visit";

/** @typedef {{ target: string, line: number }} Link */

/**
 * Returns the links of a text with their lines.
 *
 * @param {Root} tree
 * @param {number} firstLine
 */
export function linksOf(tree, firstLine) {
  /** @type {Link[]} */
  const links = [];
  visit(tree, (node) => {
    if (node.type !== "link" && node.type !== "definition") return;
    links.push({ target: node.url, line: (node.position?.start.line ?? 1) + firstLine - 1 });
  });
  return links;
}

/**
 * Refuses the pictures of Markdown: texts show drawings of `src/drawings`, with a description.
 *
 * @param {Root} tree
 * @param {VFile} file
 */
export function refusePictures(tree, file) {
  visit(tree, ["image", "imageReference"], (node) => {
    file.fail('pictures are written as <Figure drawing="…" text="what it shows" />', node);
  });
}
