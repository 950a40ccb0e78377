import { basename, dirname } from "node:path";
import { Namer } from "@parcel/plugin";

/** The names of what pages load at once. @type {Record<string, string>} */
const NAMES = { "entry-client.ts": "app", "entry-island.ts": "island", "entry-photos.ts": "photos" };

/** @param {string} target the entry that the rules belong to */
const styleName = (target) => (target === "photos" ? "photos" : "app");

/**
 * Names the browser's code: `app.<hash>.js` and `app.<hash>.css` for every page, `island.<hash>.js`,
 * `photos.<hash>.js` and `photos.<hash>.css` for private pages with photos, and what is loaded by `import()` after the folder of its first file. Parcel keeps entry names free of a
 * hash, but everything under /assets/ is served as immutable.
 */
export default new Namer({
  name({ bundle }) {
    if (bundle.target.name === "server" || !["js", "css"].includes(bundle.type)) return null;
    const source = bundle.getMainEntry()?.filePath ?? "";
    const name =
      bundle.type === "css" ? styleName(bundle.target.name) : (NAMES[basename(source)] ?? basename(dirname(source)));
    return `${name}.${bundle.hashReference}.${bundle.type}`;
  },
});
