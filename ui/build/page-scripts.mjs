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
 * Returns a function that reads what the code says that may run in a page: the strings of its scripts, and of those that
 * they can load.
 *
 * @param {string} assets
 * @returns {(html: string) => Promise<string>}
 */
export function pageScripts(assets) {
  /** @type {Map<string, Promise<string>>} */
  const known = new Map();
  /** @type {(name: string) => Promise<string>} */
  const read = (name) => {
    const found = known.get(name) ?? readFile(join(assets, name), "utf8").then(stringsOf);
    known.set(name, found);
    return found;
  };
  return async (html) => {
    const loaded = [...html.matchAll(LOADED), ...(HAS_ISLAND.test(html) ? html.matchAll(ISLAND) : [])];
    const names = new Set(loaded.map(([, path = ""]) => basename(path)));
    const strings = [];
    for (const name of names) {
      const text = await read(name);
      for (const [, other = ""] of text.matchAll(NAMED)) names.add(other);
      strings.push(text);
    }
    return strings.join("\n");
  };
}

/**
 * Returns the strings of a script, one a line.
 *
 * @param {string} code
 */
function stringsOf(code) {
  /** @type {string[]} */
  const strings = [];
  parse(code, {
    ecmaVersion: "latest",
    sourceType: "module",
    onToken: (token) => {
      const { type, value } = /** @type {{ type: object, value: string }} */ (/** @type {unknown} */ (token));
      if (type === tokTypes.string || type === tokTypes.template) strings.push(value);
    },
  });
  return strings.join("\n");
}
