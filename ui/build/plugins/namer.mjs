import { basename, extname } from "node:path";
import { Namer } from "@parcel/plugin";

/**
 * Names the browser's code: `app.<hash>.js` and `app.<hash>.css` for the entry, and a chunk after its
 * file in `src/chunks/`. Parcel keeps entry names free of a hash, but everything under /assets/ is
 * served as immutable.
 */
export default new Namer({
  name({ bundle }) {
    if (bundle.target.name !== "site" || !["js", "css"].includes(bundle.type)) return null;
    const source = bundle.getMainEntry()?.filePath ?? "";
    const isChunk = source.includes("/src/chunks/");
    const name = isChunk ? basename(source, extname(source)) : "app";
    return `${name}.${bundle.hashReference}.${bundle.type}`;
  },
});
