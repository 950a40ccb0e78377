import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import browserslist from "browserslist";
import { browserslistToTargets, bundleAsync, Features } from "lightningcss";
import { writeHashed } from "./hashed.ts";

export type Family = "home" | "questionnaire" | "reading" | "private" | "desk";

export const FAMILIES: readonly Family[] = ["home", "questionnaire", "reading", "private", "desk"];
const SITE: readonly Family[] = ["home", "questionnaire", "reading"];

/** The pages that need a folder's style sheets, or a single sheet; the innermost name in the path decides. All need the rest. */
const NEEDED_BY: Readonly<Record<string, readonly Family[]>> = {
  chat: SITE,
  consent: SITE,
  enhancements: SITE,
  facts: SITE,
  toast: SITE,
  tooltip: SITE,
  home: ["home"],
  map: ["home", "reading"],
  questionnaire: ["questionnaire"],
  thanks: ["questionnaire"],
  island: ["questionnaire"],
  blog: ["reading"],
  charts: ["reading"],
  faq: ["reading"],
  pages: ["reading"],
  prose: ["reading"],
  private: ["private"],
  desk: ["desk"],
  "article-card.css": ["reading", "questionnaire"],
  "choice.css": ["questionnaire", "desk"],
  "error-summary.css": ["questionnaire", "private", "desk"],
  "field.css": ["questionnaire", "reading", "private", "desk"],
  "prose.css": FAMILIES,
  "question.css": ["questionnaire", "desk"],
  "summary.css": ["questionnaire", "private", "desk"],
};

/**
 * Folders whose rules come first, so that others may override them: the frame of every page, in its own layer, shared
 * components, and running text.
 */
const FIRST = ["layout/", "components/", "pages/", "prose/"];

/** Style sheets that `index.css` imports itself, because they belong to no single component. */
const BY_HAND = "styles/";

/** The placeholder in `index.css` for the style sheets of all components of a family. */
const COMPONENTS = "components.css";

/** Preloaded by every page, the largest first: the first request uses the page's own connection, which is past its slow start. */
const FONTS = ["source-sans-3.woff2", "besley.woff2"];

export interface Styles {
  /** The style sheet of each family, which its pages contain inline. */
  sheets: Record<Family, string>;
  /** Addresses of the fonts that every page preloads, in this order. */
  fonts: string[];
}

/** Bundles the style sheet of each family, and writes the files that they reference to `assets`. */
export async function writeStyles(ui: string, assets: string): Promise<Styles> {
  const src = join(ui, "src");
  const names = await readdir(src, { recursive: true });
  const bundle = async (components: string) => {
    const { code, dependencies } = await bundleAsync({
      filename: join(src, "styles/index.css"),
      minify: true,
      targets: browserslistToTargets(browserslist(null, { path: ui })),
      // For phones that no longer get updates.
      include: Features.LightDark | Features.Nesting,
      analyzeDependencies: true,
      resolver: { read: (path) => (basename(path) === COMPONENTS ? components : readFile(path, "utf8")) },
    });
    let css = code.toString();
    for (const found of dependencies ?? [])
      if (found.type === "url")
        css = css.replace(found.placeholder, await writeHashed(assets, join(dirname(found.loc.filePath), found.url)));
    return css;
  };
  const families = FAMILIES.map(async (family) => [family, await bundle(styleImports(names, family))]);
  return {
    sheets: Object.fromEntries(await Promise.all(families)),
    fonts: await Promise.all(FONTS.map((font) => writeHashed(assets, join(src, "styles/fonts", font)))),
  };
}

/** Returns the style sheet of the fonts with their files in it, for statements, which are read without the site. */
export async function embedFonts(folder: string): Promise<string> {
  let css = await readFile(join(folder, "fonts.css"), "utf8");
  for (const [file] of css.matchAll(/\.\/fonts\/[^"]+/g))
    css = css.replace(file, `data:font/woff2;base64,${await readFile(join(folder, file), "base64")}`);
  return css;
}

/** Returns the imports of the style sheets of a family's components, by folder. */
export function styleImports(names: readonly string[], family: Family): string {
  const rank = (name: string) => {
    const place = FIRST.findIndex((folder) => name.startsWith(folder));
    return place === -1 ? FIRST.length : place;
  };
  const depth = (name: string) => name.split("/").length;
  // A folder's own rules come before those of its subfolders.
  return names
    .filter((name) => name.endsWith(".css") && !name.startsWith(BY_HAND))
    .filter((name) => familiesOf(name).includes(family))
    .toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b) || (a < b ? -1 : 1))
    .map((name) => `@import "../${name}" layer(${rank(name) === 0 ? "layout" : "components"});\n`)
    .join("");
}

function familiesOf(name: string) {
  const known = name.split("/").findLast((part) => Object.hasOwn(NEEDED_BY, part));
  return (known && NEEDED_BY[known]) || FAMILIES;
}
