import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { KEPT } from "../src/browser/storage.ts";
import { KEY_LIFETIME_MS } from "../src/inquiry/submission.ts";
import { QUEUE_PREFIX, RESULT_LIFETIME_MS } from "../src/questionnaire/delivery/waiting.ts";

const SRC = resolve(import.meta.dirname, "../src");
const MODULE = /(?<!\.test)\.tsx?$/;
/** Everything that makes pages: components, scripts, drawings and the build, but no tests or style sheets. */
const CODE = /(?<!\.test|\.d)\.(?:tsx?|mjs|js|svg)$/;

/** Returns the contents of the files below a folder by name; style sheets without their comments and strings. */
async function textsOf(folder: string, wanted: RegExp): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => wanted.test(name));
  const read = async (name: string) => {
    const text = await readFile(join(folder, name), "utf8");
    return name.endsWith(".css") ? text.replaceAll(/\/\*[\s\S]*?\*\/|"[^"\n]*"/g, "") : text;
  };
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

const modules = await textsOf(SRC, MODULE);
const sheets = await textsOf(SRC, /\.css$/);

test("no two folders import from each other, not even indirectly", () => {
  /** The folder below `src` that holds a module, or the module itself if it is not in one. */
  const folderOf = (module: string) => module.split("/")[0] ?? module;
  const folders = new Map([...modules.keys()].map((name) => [folderOf(name), new Set<string>()]));
  assert.ok(folders.size > 15, [...folders.keys()].join());
  for (const [name, code] of modules) {
    for (const [, target = ""] of code.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)) {
      const path = join(dirname(name), target);
      if (!path.startsWith("..") && folderOf(path) !== folderOf(name)) folders.get(folderOf(name))?.add(folderOf(path));
    }
  }
  // A folder whose imports have all been removed cannot be part of a cycle.
  for (let size = 0; size !== folders.size; ) {
    size = folders.size;
    for (const [folder, imported] of folders)
      if (![...imported].some((one) => folders.has(one))) folders.delete(folder);
  }
  assert.deepEqual([...folders.keys()], []);
});

test("hover styles apply only where a pointer can hover: on touch screens they would stick", () => {
  for (const [name, css] of sheets)
    assert.doesNotMatch(css.replaceAll(/^( *)@media \(hover: hover\) \{[\s\S]*?^\1\}$/gm, ""), /:hover/, name);
});

test("every class and attribute in a style rule is used by some code", async () => {
  const code = [await textsOf(SRC, CODE), await textsOf(resolve(SRC, "../build"), CODE)]
    .flatMap((texts) => [...texts.values()])
    .join("\n");
  const words = new Set(code.match(/[\w-]+/g));
  // Prefixes of names that code puts together: `chart-${demand}`.
  const beginnings = [...code.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, beginning = ""]) => beginning);
  const isUsed = (name: string) => words.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (const [sheet, css] of sheets) {
    for (const [, name = ""] of css.matchAll(/\.([a-z][\w-]*)/g)) assert.ok(isUsed(name), `${sheet}: .${name}`);
    for (const [, name = ""] of css.matchAll(/\[data-([\w-]+)/g))
      assert.ok(isUsed(`data-${name}`) || isUsed(camelCase(name)), `${sheet}: data-${name}`);
  }
});

/** Ways to store something that bypass `browser/storage.ts`. */
const ELSEWHERE =
  /document\.cookie|\bcookieStore\b|\bindexedDB\b|\bcaches\b|serviceWorker|\b(local|session)Storage\s*[.[]/;
const COMMENT = /\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs;

test("nothing is stored in the browser in any other way", () => {
  for (const [name, code] of modules) assert.doesNotMatch(code.replaceAll(COMMENT, ""), ELSEWHERE, name);
});

test("/datenschutz names exactly the keys that may be used, and how long an inquiry stays in the queue", async () => {
  const text = await readFile(resolve(SRC, "../../content/pages/datenschutz.mdx"), "utf8");
  // The table rows about storage, by the key that each names in backquotes.
  const found = text.matchAll(/^\| (?:Local|Session) Storage(?: `([^`]+)`)?.*$/gm);
  const rows = new Map([...found].map(([row, key = ""]) => [key, row]));
  assert.deepEqual([...rows.keys()].toSorted(), [...KEPT].toSorted());
  const row = rows.get(QUEUE_PREFIX) ?? "";
  const days = (milliseconds: number) => milliseconds / (24 * 60 * 60 * 1000);
  for (const part of [
    "ab dem Absenden",
    `nach ${days(KEY_LIFETIME_MS)} Tagen`,
    `Ergebnis ${days(RESULT_LIFETIME_MS)} Tage`,
  ])
    assert.ok(row.includes(part), row);
});
