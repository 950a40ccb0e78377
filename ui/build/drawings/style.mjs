import { readFile } from "node:fs/promises";
import { join } from "node:path";

const COMMENT = /\/\*[\s\S]*?\*\//g;
const DARK = /@media \(prefers-color-scheme: dark\) \{[\s\S]*?\n\}\n/;
const VARIABLE = /(--[a-z-]+):\s*([^;]+);/g;

/** The rules that colour drawings, as text for a drawing that is a file of its own. */
export async function drawingStyle(ui) {
  return readFile(join(ui, "src/styles/drawings.css"), "utf8");
}

/** The rules as short as they are when only comments and white space are dropped. */
export function squeezed(css) {
  return css
    .replace(COMMENT, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{}:;,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim();
}

/** The rules of the light scheme with their variables put in, for a renderer that knows neither schemes nor variables. */
export function lightOnly(css) {
  const values = lightColours(css);
  const rules = css
    .replace(COMMENT, "")
    .replace(DARK, "")
    .replace(/:root \{[^}]*\}/, "");
  return squeezed(rules.replace(/var\((--[a-z-]+)\)/g, (_, name) => values.get(name)));
}

/** The colours of the light scheme, by the names of their variables. */
export function lightColours(css) {
  const light = css.replace(COMMENT, "").replace(DARK, "");
  return new Map([...light.matchAll(VARIABLE)].map(([, name, value]) => [name, value]));
}

/** A drawing as a file that needs nothing beside it and follows the colour scheme where it is shown. */
export function drawingFile({ width, height, body }, css) {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" ${size}><style>${squeezed(css)}</style>${body}</svg>\n`;
}
