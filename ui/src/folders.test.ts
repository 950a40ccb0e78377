import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const SRC = import.meta.dirname;
const IMPORT = /(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g;

/** The folder below `src` that a module is in; the module itself where it is in none. */
const folderOf = (module: string) => module.split("/")[0] ?? module;

/** For each folder those that it imports from, types included. */
async function readFolders(): Promise<Map<string, Set<string>>> {
  const names = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const folders = new Map<string, Set<string>>();
  for (const name of names) {
    const imported = [...(await readFile(join(SRC, name), "utf8")).matchAll(IMPORT)]
      .map(([, target = ""]) => join(dirname(name), target))
      .filter((target) => !target.startsWith(".."))
      .map(folderOf);
    const known = folders.get(folderOf(name)) ?? new Set();
    folders.set(folderOf(name), new Set([...known, ...imported]));
  }
  return folders;
}

/** The folders on a way from a folder back to itself, the shortest; null where there is none. */
function cycleFrom(start: string, folders: Map<string, Set<string>>): string[] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    const last = way.at(-1) ?? start;
    for (const next of folders.get(last) ?? []) {
      if (next === last) continue;
      if (next === start) return [...way, start];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

test("no folder imports from one that imports from it, not even by way of others", async () => {
  const folders = await readFolders();
  assert.ok(folders.size > 15, [...folders.keys()].join());
  const cycles = [...folders.keys()].map((folder) => cycleFrom(folder, folders)).filter((cycle) => cycle !== null);
  assert.deepEqual(
    cycles.map((cycle) => cycle.join(" -> ")),
    [],
  );
});
