import type { Drawing } from "./read.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "lightningcss";
import { coloursOf } from "../palette.ts";

/** Reads the rules that colour drawings. */
export async function drawingStyle(ui: string) {
  return readFile(join(ui, "src/styles/drawings.css"), "utf8");
}

/** Returns the rules of the light scheme with their variables resolved, for a renderer that supports neither. */
export function lightOnly(css: string) {
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

function isRoot(selector: { type: string; kind?: string } | undefined) {
  return selector?.kind === "root";
}

/** Returns a drawing as a self-contained file that follows the colour scheme. */
export function drawingFile({ width, height, body }: Drawing, css: string) {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" ${size}><style>${minify(css)}</style>${body}</svg>\n`;
}

function minify(css: string) {
  return transform({ filename: "drawings.css", code: Buffer.from(css), minify: true }).code.toString();
}
