/** @import { Link } from "./content/links.mjs" */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "./fail.mjs";

/** Links that leave the site, or open another program. */
const OUTWARD = /^(https:|mailto:|tel:)/;

/** @typedef {Link & { file: string, page: string }} PlacedLink a link with the file it stands in and the page that shows it */
/** @typedef {{ pages: { path: string, file: string }[], aliases: Record<string, string> }} Manifest */

/**
 * Ends the build at the first link of a text that leads nowhere. Anchors are looked for in the pages as they were
 * written to `out`.
 *
 * @param {string} out
 * @param {PlacedLink[]} links
 * @param {Manifest} manifest
 */
export async function checkLinks(out, links, { pages, aliases }) {
  for (const { file, line, page, target } of links) {
    /** @type {(message: string) => never} */
    const complain = (message) => fail(file, line, `${target}: ${message}`);
    if (OUTWARD.test(target)) continue;
    const [address = "", anchor] = decodeURI(target).split("#");
    const path = address === "" ? page : address.replace(/\?.*/, "");
    if (!path.startsWith("/")) complain("begin a link with / (this site) or https:// (another)");
    if (Object.hasOwn(aliases, path)) complain(`is another name of ${aliases[path]}; link to that`);
    const found = pages.find((one) => one.path === path);
    if (!found) return complain("there is no such page");
    if (anchor !== undefined && !(await idsOf(join(out, found.file))).has(anchor))
      complain(`${path} has no id ${anchor}`);
  }
}

/** @param {string} file */
async function idsOf(file) {
  const html = await readFile(file, "utf8");
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}
