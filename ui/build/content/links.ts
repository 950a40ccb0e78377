import type { Root } from "mdast";
import type { VFile } from "vfile";
import { visit } from "unist-util-visit";

export type Link = { target: string; line: number };

/** Returns the links of a text with their lines. */
export function linksOf(tree: Root, firstLine: number) {
  const links: Link[] = [];
  visit(tree, (node) => {
    if (node.type !== "link" && node.type !== "definition") return;
    links.push({ target: node.url, line: (node.position?.start.line ?? 1) + firstLine - 1 });
  });
  return links;
}

/** Refuses the pictures of Markdown: texts show drawings of `src/drawings`, with a description. */
export function refusePictures(tree: Root, file: VFile) {
  visit(tree, ["image", "imageReference"], (node) => {
    file.fail('pictures are written as <Figure drawing="…" text="what it shows" />', node);
  });
}
