/** @import { Drawing } from "./read.mjs" */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "lightningcss";
import { coloursOf } from "../palette.mjs";

/**
 * Reads the rules that colour drawings.
 *
 * @param {string} ui
 */
export async function drawingStyle(ui) {
  return readFile(join(ui, "src/styles/drawings.css"), "utf8");
}

/**
 * Returns the rules of the light scheme with their variables resolved, for a renderer that supports neither.
 *
 * @param {string} css
 */
export function lightOnly(css) {
  const { light } = coloursOf(css);
  const { code } = transform({
    filename: "drawings.css",
    code: Buffer.from(css),
    minify: true,
    visitor: {
      Rule: {
        media: () => [],
        style: ({ value }) => (value.selectors.some(([first]) => isRoot(first)) ? [] : undefined),
      },
      Variable: ({ name }) => ({ raw: light.get(name.ident) ?? "" }),
    },
  });
  return code.toString();
}

/** @param {{ type: string, kind?: string } | undefined} selector */
function isRoot(selector) {
  return selector?.kind === "root";
}

/**
 * Returns a drawing as a self-contained file that follows the colour scheme.
 *
 * @param {Drawing} drawing
 * @param {string} css
 */
export function drawingFile({ width, height, body }, css) {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" ${size}><style>${minify(css)}</style>${body}</svg>\n`;
}

/** @param {string} css */
function minify(css) {
  return transform({ filename: "drawings.css", code: Buffer.from(css), minify: true }).code.toString();
}
