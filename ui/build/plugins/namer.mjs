import { basename, dirname } from "node:path";
import { Namer } from "@parcel/plugin";

/** The names of what pages load at once. @type {Record<string, string>} */
const NAMES = { "entry-client.ts": "app", "entry-island.ts": "island", "entry-photos.ts": "photos" };

/**
 * Names the browser's scripts: `app.<hash>.js` for every page, `island.<hash>.js`, `photos.<hash>.js`, and what is loaded by
 * `import()` after the folder of its first file. Parcel keeps entry names free of a hash, but everything under /assets/ is
 * served as immutable.
 */
export default new Namer({
  name({ bundle }) {
    if (bundle.target.name === "server" || bundle.type !== "js") return null;
    const source = bundle.getMainEntry()?.filePath ?? "";
    return `${NAMES[basename(source)] ?? basename(dirname(source))}.${bundle.hashReference}.js`;
  },
});
