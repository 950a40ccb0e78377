import { readdir } from "node:fs/promises";

/** The folder of what every page stands in, below all else, and the one whose components others build on. */
const LAYOUT = "layout/";
const SHARED = "components/";

/** Style sheets that `index.css` names itself: what is for no component alone. */
const BY_HAND = "styles/";

/**
 * Returns the imports of all style sheets that stand beside a component, by folder: those of the layout, those that components
 * share, then the others by name.
 */
export async function styleImports(src: string) {
  const names = (await readdir(src, { recursive: true })).filter((name) => name.endsWith(".css"));
  const rank = (name: string) => (name.startsWith(LAYOUT) ? 0 : name.startsWith(SHARED) ? 1 : 2);
  const sorted = names
    .filter((name) => !name.startsWith(BY_HAND))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return sorted
    .map((name) => `@import "../src/${name}" layer(${rank(name) === 0 ? "layout" : "components"});\n`)
    .join("");
}
