import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { KEY_LIFETIME_MS } from "../../inquiry/submission.ts";
import { QUEUE_PREFIX, RESULT_LIFETIME_MS } from "./waiting.ts";

const SRC = resolve(import.meta.dirname, "../..");
const PRIVACY = resolve(import.meta.dirname, "../../../../content/pages/datenschutz.mdx");
const DAY_MS = 24 * 60 * 60 * 1000;

/** The module that keeps things, and the function of it that the others call with the constant for a key. */
const STORAGE = "browser/storage.ts";
const CALL = /\bwriteItem\(/g;
const WRITE = /\bwriteItem\(\s*"(?:local|session)Storage",\s*([A-Z_]+)\b/g;
/** A constant that is a key, or the beginning of one. */
const CONSTANT = /^export const ([A-Z_]+) = "([^"]+)";$/gm;
/** Other ways to keep something. */
const ELSEWHERE =
  /document\.cookie|\bcookieStore\b|\bindexedDB\b|\bcaches\b|serviceWorker|\b(local|session)Storage\s*[.[]/;
const COMMENT = /\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs;
/** A row of the table on /datenschutz: the storage, and the key in backquotes. */
const ROW = /^\| (?:Local|Session) Storage(?: `([^`]+)`)?.*$/gm;

const names = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
const sources = await Promise.all(
  names
    .filter((name) => name !== STORAGE)
    .map(async (name) => ({ name, code: (await readFile(join(SRC, name), "utf8")).replaceAll(COMMENT, "") })),
);

/** The rows about storage, by the key that they name. */
const rows = new Map(
  [...(await readFile(PRIVACY, "utf8")).matchAll(ROW)].map(([row, key]) => [
    key ?? assert.fail(`no key in ${row}`),
    row,
  ]),
);

test("nothing is kept in the browser in any other way", () => {
  const found = sources.filter(({ code }) => ELSEWHERE.test(code)).map(({ name }) => name);
  assert.deepEqual(found, [], `use ${STORAGE}, and name the key on /datenschutz`);
});

test("/datenschutz names exactly the keys that the code uses, which are constants", () => {
  const constants = new Map(
    sources.flatMap(({ code }) => [...code.matchAll(CONSTANT)].map(([, ...pair]) => pair)) as [string, string][],
  );
  const used = sources.flatMap(({ name, code }) => {
    const writes = [...code.matchAll(WRITE)];
    assert.equal(writes.length, [...code.matchAll(CALL)].length, `${name}: begin the key with an exported constant`);
    return writes.map(([, constant = ""]) => constants.get(constant) ?? assert.fail(`${name}: export ${constant}`));
  });
  assert.deepEqual([...rows.keys()].toSorted(), used.toSorted());
});

test("/datenschutz says since when and how long an inquiry is in the queue", () => {
  const row = rows.get(QUEUE_PREFIX) ?? "";
  assert.ok(row.includes("ab dem Absenden"), row);
  assert.ok(row.includes(`nach ${KEY_LIFETIME_MS / DAY_MS} Tagen`), row);
  assert.ok(row.includes(`das Ergebnis ${RESULT_LIFETIME_MS / DAY_MS} Tage`), row);
});
