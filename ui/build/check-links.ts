import type { Link } from "./content/mdx.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "./fail.ts";

/** Links that leave the site or open another program. */
const OUTWARD = /^(https:|mailto:|tel:)/;

/** A link with its file, and the page that shows it. */
export type PlacedLink = Link & { file: string; page: string };
export type Manifest = { pages: { path: string; file: string }[]; aliases: Record<string, string> };

/** Fails the build at the first broken link in a text. Anchors are looked up in the pages as written to `out`. */
export async function checkLinks(out: string, links: PlacedLink[], { pages, aliases }: Manifest) {
  for (const { file, line, page, target } of links) {
    const complain: (message: string) => never = (message) => fail(file, line, `${target}: ${message}`);
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

async function idsOf(file: string) {
  const html = await readFile(file, "utf8");
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}
