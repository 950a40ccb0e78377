import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BuildError } from "./fail.ts";

/** Hexadecimal colours by the names of their variables. */
type Colours = Map<string, string>;
export type FindColour = (name: string) => string;

/** Reads the palette of `tokens.css` for pictures and files that no style sheet reaches. */
export async function readPalette(ui: string): Promise<{ light: FindColour; dark: FindColour }> {
  const { light, dark } = coloursOf(await readFile(join(ui, "src/styles/tokens.css"), "utf8"));
  return { light: (name) => find(light, name), dark: (name) => find(dark, name) };
}

/** Returns a style sheet's colour variables, in both schemes: those with `light-dark()` differ. */
export function coloursOf(css: string): { light: Colours; dark: Colours } {
  const found = [...css.matchAll(/(--[\w-]+):[^;}#]*(#\w+)(?:[^;}#]*(#\w+))?/g)];
  return {
    light: new Map(found.map(([, name = "", light = ""]) => [name, light])),
    dark: new Map(found.map(([, name = "", light = "", dark = light]) => [name, dark])),
  };
}

function find(colours: Colours, name: string) {
  const found = colours.get(name);
  if (!found) throw new BuildError(`tokens.css has no colour ${name}`);
  return found;
}
