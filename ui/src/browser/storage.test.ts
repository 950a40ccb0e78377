import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { KEY_LIFETIME_MS } from "../inquiry/submission.ts";
import { QUEUE_PREFIX, RESULT_LIFETIME_MS } from "../questionnaire/delivery/waiting.ts";
import { KEPT } from "./storage.ts";

const SRC = resolve(import.meta.dirname, "..");
const PRIVACY = resolve(import.meta.dirname, "../../../content/pages/datenschutz.mdx");
const DAY_MS = 24 * 60 * 60 * 1000;

/** Ways to keep something other than `storage.ts`. */
const ELSEWHERE =
  /document\.cookie|\bcookieStore\b|\bindexedDB\b|\bcaches\b|serviceWorker|\b(local|session)Storage\s*[.[]/;
const COMMENT = /\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs;
/** A row of the table on /datenschutz: the storage, and the key in backquotes. */
const ROW = /^\| (?:Local|Session) Storage(?: `([^`]+)`)?.*$/gm;

/** The rows about storage, by the key that they name. */
const rows = new Map([...(await readFile(PRIVACY, "utf8")).matchAll(ROW)].map(([row, key = ""]) => [key, row]));

test("nothing is kept in the browser in any other way", async () => {
  const names = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  for (const name of names)
    assert.doesNotMatch((await readFile(join(SRC, name), "utf8")).replaceAll(COMMENT, ""), ELSEWHERE, name);
});

test("/datenschutz names exactly the keys that may be used", () => {
  assert.deepEqual([...rows.keys()].toSorted(), [...KEPT].toSorted());
});

test("/datenschutz says since when and how long an inquiry is in the queue", () => {
  const row = rows.get(QUEUE_PREFIX) ?? "";
  assert.ok(row.includes("ab dem Absenden"), row);
  assert.ok(row.includes(`nach ${KEY_LIFETIME_MS / DAY_MS} Tagen`), row);
  assert.ok(row.includes(`das Ergebnis ${RESULT_LIFETIME_MS / DAY_MS} Tage`), row);
});
