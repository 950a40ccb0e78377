import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

const LOADED = /<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+\.js)"/g;

/** How a bundle names another one that it can load. */
const NAMED = /["'](?:\.\/)?([\w-]+\.\w+\.js)["']/g;

/**
 * Returns a function that reads the code which may run in a page: its scripts, and those that they can load.
 *
 * @param {string} assets
 * @returns {(html: string) => Promise<string>}
 */
export function pageScripts(assets) {
  return async (html) => {
    const names = new Set([...html.matchAll(LOADED)].map(([, path = ""]) => basename(path)));
    const code = [];
    for (const name of names) {
      const text = await readFile(join(assets, name), "utf8");
      for (const [, other = ""] of text.matchAll(NAMED)) names.add(other);
      code.push(text);
    }
    return code.join("\n");
  };
}
