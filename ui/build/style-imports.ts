import { readdir } from "node:fs/promises";

/**
 * Folders whose rules come before those of others, which may override them: what surrounds every page, in a layer of its own, what
 * components share, and running text.
 */
const FIRST = ["layout/", "components/", "pages/", "prose/"];

/** Style sheets that `index.css` names itself: what is for no component alone. */
const BY_HAND = "styles/";

/** A style sheet that `entry-photos.ts` brings, for the few pages with photos alone. */
export const APART = "private/photo.css";

/** Returns the imports of the style sheets of all components, by folder. */
export async function styleImports(src: string): Promise<string> {
  const names = (await readdir(src, { recursive: true })).filter((name) => name.endsWith(".css"));
  const rank = (name: string) => {
    const place = FIRST.findIndex((folder) => name.startsWith(folder));
    return place === -1 ? FIRST.length : place;
  };
  const depth = (name: string) => name.split("/").length;
  // A folder's own rules come before those of the folders in it.
  const sorted = names
    .filter((name) => !name.startsWith(BY_HAND) && name !== APART)
    .sort((a, b) => rank(a) - rank(b) || depth(a) - depth(b) || (a < b ? -1 : 1));
  return sorted
    .map((name) => `@import "../src/${name}" layer(${rank(name) === 0 ? "layout" : "components"});\n`)
    .join("");
}
