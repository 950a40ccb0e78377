import type { Drawing } from "./read.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Features, transform } from "lightningcss";
import { coloursOf } from "../palette.ts";

/** Reads the palette and the stroke of drawings, for separate files. */
export async function drawingStyle(ui: string) {
  const css = `:root{color-scheme:light dark}${await readFile(join(ui, "src/styles/drawings.css"), "utf8")}`;
  const include = Features.LightDark;
  return transform({ filename: "drawings.css", code: Buffer.from(css), minify: true, include }).code.toString();
}

/** Returns a picture with the light scheme's colours instead of variables, for a renderer that supports neither. */
export function lightOnly(svg: string, css: string) {
  const { light } = coloursOf(css);
  return svg.replaceAll(/var\((--[\w-]+)(?:,([^)]*))?\)/g, (_, name, otherwise) => light.get(name) ?? otherwise);
}

/** Returns a drawing as a self-contained file that follows the colour scheme. */
export function drawingFile({ width, height, body }: Drawing, css: string) {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" ${size}><style>${css}</style>${body}</svg>\n`;
}
