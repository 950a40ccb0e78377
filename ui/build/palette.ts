import type { CssColor } from "lightningcss";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "lightningcss";
import { BuildError } from "./fail.ts";

/** Hexadecimal, by the names of their variables. */
export type Colours = Map<string, string>;
export type FindColour = (name: string) => string;

/** Reads the palette of `tokens.css` for pictures and files that no style sheet reaches. */
export async function readPalette(ui: string): Promise<{ light: FindColour; dark: FindColour }> {
  const { light, dark } = coloursOf(await readFile(join(ui, "src/styles/tokens.css"), "utf8"));
  return { light: (name) => find(light, name), dark: (name) => find(dark, name) };
}

/** Returns the variables of a style sheet that are colours, in the light scheme and in the dark one. */
export function coloursOf(css: string): { light: Colours; dark: Colours } {
  const light: Colours = new Map();
  const changed: Colours = new Map();
  let colours = light;
  transform({
    filename: "palette.css",
    code: Buffer.from(css),
    visitor: {
      Rule: { media: () => void (colours = changed) }, // the dark scheme is the only query of these files
      RuleExit: { media: () => void (colours = light) },
      Declaration: {
        custom({ name, value: [value] }) {
          if (value?.type === "color") colours.set(name, toHex(value.value));
        },
      },
    },
  });
  return { light, dark: new Map([...light, ...changed]) };
}

function toHex(colour: CssColor) {
  if (typeof colour === "string" || colour.type !== "rgb") throw new BuildError("colours of the palette are #rrggbb");
  const channels = [colour.r, colour.g, colour.b].map((channel) => channel.toString(16).padStart(2, "0"));
  return `#${channels.join("")}`;
}

/** Returns a colour by the name of its variable. */
export function find(colours: Colours, name: string) {
  const found = colours.get(name);
  if (!found) throw new BuildError(`tokens.css has no colour ${name}`);
  return found;
}
