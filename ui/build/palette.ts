import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BuildError } from "./fail.ts";

/** Hexadecimal, by the names of their variables. */
type Colours = Map<string, string>;
export type FindColour = (name: string) => string;

/** Reads the palette of `tokens.css` for pictures and files that no style sheet reaches. */
export async function readPalette(ui: string): Promise<{ light: FindColour; dark: FindColour }> {
  const { light, dark } = coloursOf(await readFile(join(ui, "src/styles/tokens.css"), "utf8"));
  return { light: (name) => find(light, name), dark: (name) => find(dark, name) };
}

/**
 * Returns the variables of a style sheet that are colours, in the light scheme and in the dark one, whose query is the sheet's
 * only one and comes last.
 */
export function coloursOf(css: string): { light: Colours; dark: Colours } {
  const [light = new Map(), changed = []] = css
    .split("@media")
    .map(
      (part) => new Map([...part.matchAll(/(--[\w-]+): ?(#\w+)/g)].map(([, name = "", colour = ""]) => [name, colour])),
    );
  return { light, dark: new Map([...light, ...changed]) };
}

function find(colours: Colours, name: string) {
  const found = colours.get(name);
  if (!found) throw new BuildError(`tokens.css has no colour ${name}`);
  return found;
}
