import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse, tokTypes } from "acorn";

const LOADED = /<(?:script|link)\b[^>]*? (?:src|href)="([^"]+\.js)"/g;

/** What a page with an island loads besides. Others only name it. */
const ISLAND = /<script\b[^>]*? data-island-src="([^"]+\.js)"/g;
const HAS_ISLAND = / data-island="/;

/** How a bundle names another one that it can load: without the folder that pages name. */
const NAMED = /^(?:\.\/)?([\w-]+\.\w+\.js)$/gm;

/**
 * Returns a function that reads from the code what may run in a page: the strings of its scripts, and of those that
 * they can load.
 */
export function pageScripts(assets: string): (html: string) => Promise<string> {
  const known: Map<string, Promise<string>> = new Map();
  const stringsIn: (name: string) => Promise<string> = (name) => {
    const found = known.get(name) ?? readFile(join(assets, name), "utf8").then(stringsOf);
    known.set(name, found);
    return found;
  };
  return async (html) => {
    const loaded = [...html.matchAll(LOADED), ...(HAS_ISLAND.test(html) ? html.matchAll(ISLAND) : [])];
    const names = new Set(loaded.map(([, path = ""]) => basename(path)));
    const strings = [];
    for (const name of names) {
      const text = await stringsIn(name);
      for (const [, other = ""] of text.matchAll(NAMED)) names.add(other);
      strings.push(text);
    }
    return strings.join("\n");
  };
}

/** What this process has read: the development loop bundles most scripts as they were. */
const read: Map<string, string> = new Map();

/** Returns the strings of a script, one a line. */
function stringsOf(code: string) {
  const known = read.get(code);
  if (known !== undefined) return known;
  const strings: string[] = [];
  parse(code, {
    ecmaVersion: "latest",
    sourceType: "module",
    onToken: (token) => {
      const { type, value } = token as unknown as { type: object; value: string };
      if (type === tokTypes.string || type === tokTypes.template) strings.push(value);
    },
  });
  const joined = strings.join("\n");
  read.set(code, joined);
  return joined;
}
