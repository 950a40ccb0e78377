import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const SRC = import.meta.dirname;
const IMPORT = /(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g;

/** The folder below `src` that a module is in; the module itself where it is in none. */
const folderOf = (module: string) => module.split("/")[0] ?? module;

test("no folder imports from one that imports from it, not even by way of others", async () => {
  const names = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const folders = new Map(names.map((name) => [folderOf(name), new Set<string>()]));
  assert.ok(folders.size > 15, [...folders.keys()].join());
  for (const name of names) {
    for (const [, target = ""] of (await readFile(join(SRC, name), "utf8")).matchAll(IMPORT)) {
      const path = join(dirname(name), target);
      if (!path.startsWith("..") && folderOf(path) !== folderOf(name)) folders.get(folderOf(name))?.add(folderOf(path));
    }
  }
  // Those that import from none that is left cannot be on a cycle.
  for (let size = 0; size !== folders.size; ) {
    size = folders.size;
    for (const [folder, imported] of folders)
      if (![...imported].some((one) => folders.has(one))) folders.delete(folder);
  }
  assert.deepEqual([...folders.keys()], []);
});
