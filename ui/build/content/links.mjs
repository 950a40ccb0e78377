import { visit } from "./walk.mjs";

/** The links of a text (Markdown tree) with their lines: `{ target, line }`. */
export function linksOf(tree, firstLine) {
  const links = [];
  visit(tree, (node) => {
    if (node.type !== "link" && node.type !== "definition") return;
    links.push({ target: node.url, line: node.position.start.line + firstLine - 1 });
  });
  return links;
}

/** A picture in a text is a drawing of ours with words for those who do not see it; Markdown's own has neither. */
export function refusePictures(tree, file) {
  visit(tree, (node) => {
    if (node.type === "image" || node.type === "imageReference") {
      file.fail('pictures are written as <Abbildung drawing="…" text="what it shows" />', node);
    }
  });
}
