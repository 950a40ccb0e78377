import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { KEY_LIFETIME_MS } from "../inquiry/submission.ts";
import { QUEUE_PREFIX, RESULT_LIFETIME_MS } from "./waiting.ts";

const SRC = resolve(import.meta.dirname, "..");
const PRIVACY = resolve(import.meta.dirname, "../../../content/pages/datenschutz.mdx");
const DAY_MS = 24 * 60 * 60 * 1000;

/** A write to a storage, with the expression for its key. */
const WRITE = /\.setItem\(\s*([^,]+?)\s*,/g;
/** The name of a constant with a key, or with the beginning of one. */
const CONSTANT = /^[A-Z_]+_(KEY|PREFIX)$/;
/** Ways to store something other than `browserStorage`, which this test could not follow. */
const ELSEWHERE =
  /document\.cookie|\bcookieStore\b|\bindexedDB\b|\bcaches\b|serviceWorker|\b(local|session)Storage\s*[.[]/;
const COMMENT = /\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs;
/** A row of the table on /datenschutz: the storage, and the key in backquotes. */
const ROW = /^\| (?:Local|Session) Storage(?: `([^`]+)`)?.*$/gm;

interface Module {
  name: string;
  source: string;
  /** The exported constants that name keys. */
  keys: Map<string, string>;
}

/** The modules that write to a storage. */
async function writers(): Promise<Module[]> {
  const found = (await sources()).filter(({ source }) => source.includes(".setItem("));
  return Promise.all(
    found.map(async (module) => {
      const exported = (await import(pathToFileURL(join(SRC, module.name)).href)) as Record<string, unknown>;
      const keys = Object.entries(exported).filter(([name]) => CONSTANT.test(name));
      return { ...module, keys: new Map(keys.map(([name, value]) => [name, String(value)])) };
    }),
  );
}

async function sources(): Promise<{ name: string; source: string }[]> {
  const names = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  return Promise.all(names.map(async (name) => ({ name, source: await readFile(join(SRC, name), "utf8") })));
}

/** The rows about storage, by the key that they name. */
async function named(): Promise<Map<string, string>> {
  const rows = [...(await readFile(PRIVACY, "utf8")).matchAll(ROW)];
  return new Map(rows.map(([row, key]) => [key ?? assert.fail(`no key in ${row}`), row]));
}

test("every key that is stored in the browser is an exported constant", async () => {
  const modules = await writers();
  assert.ok(modules.length > 0);
  for (const { name, source, keys } of modules) {
    for (const [, key = ""] of source.matchAll(WRITE)) {
      // A computed key begins with an exported prefix.
      const isKnown =
        keys.has(key) || (key.endsWith(")") && [...keys.keys()].some((constant) => constant.endsWith("_PREFIX")));
      assert.ok(isKnown, `${name} stores under ${key}: export the key as a constant …_KEY or …_PREFIX`);
    }
  }
});

test("nothing is kept in the browser in any other way", async () => {
  const found = (await sources()).filter(({ source }) => ELSEWHERE.test(source.replaceAll(COMMENT, "")));
  assert.deepEqual(
    found.map(({ name }) => name),
    [],
    "use browserStorage, and name the key on /datenschutz",
  );
});

test("/datenschutz names exactly the keys that the code uses", async () => {
  const used = (await writers()).flatMap(({ keys }) => [...keys.values()]);
  assert.deepEqual([...(await named()).keys()].toSorted(), used.toSorted());
});

test("/datenschutz says since when and how long an inquiry is in the queue", async () => {
  const row = (await named()).get(QUEUE_PREFIX) ?? "";
  assert.ok(row.includes("ab dem Absenden"), row);
  assert.ok(row.includes(`nach ${KEY_LIFETIME_MS / DAY_MS} Tagen`), row);
  assert.ok(row.includes(`das Ergebnis ${RESULT_LIFETIME_MS / DAY_MS} Tage`), row);
});
