import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "./fail.mjs";

/** Links that leave the site, or open another program. */
const OUTWARD = /^(https:|mailto:|tel:)/;

/**
 * Ends the build at the first link of a text that leads nowhere: `links` are `{ file, line, page, target }`, `pages` and
 * `aliases` those of the manifest. Anchors are looked for in the pages as they were written to `out`.
 */
export async function checkLinks(out, links, { pages, aliases }) {
  for (const { file, line, page, target } of links) {
    const complain = (message) => fail(file, line, `${target}: ${message}`);
    if (OUTWARD.test(target)) continue;
    const [address, anchor] = decodeURI(target).split("#");
    const path = address === "" ? page : address.split("?")[0];
    if (!path.startsWith("/")) complain("begin a link with / (this site) or https:// (another)");
    if (Object.hasOwn(aliases, path)) complain(`is another name of ${aliases[path]}; link to that`);
    const found = pages.find((one) => one.path === path);
    if (!found) complain("there is no such page");
    if (anchor !== undefined && !(await idsOf(join(out, found.file))).has(anchor))
      complain(`${path} has no id ${anchor}`);
  }
}

async function idsOf(file) {
  const html = await readFile(file, "utf8");
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}
