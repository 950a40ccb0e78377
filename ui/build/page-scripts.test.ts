import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pageScripts } from "./page-scripts.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "page-scripts-"));
  const files = {
    "app.a1.js": 'const a = /"/, chat = `chart-${b}`; Object.assign(c, { x: "late.b2.js" }); show("toast")',
    "late.b2.js": "export const text = 'banner';",
    "island.c3.js": 'import "./late.b2.js"; element("question")',
  };
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
});
after(() => rm(folder, { recursive: true, force: true }));

test("a page can show what the strings of its scripts say, and of those that these load", async () => {
  const read = pageScripts(folder);
  const app = (
    await read('<script type="module" src="/assets/app.a1.js" data-island-src="/assets/island.c3.js">')
  ).split("\n");
  assert.deepEqual(app, ["chart-", "", "late.b2.js", "toast", "banner"]);
  const island = await read('<script src="/assets/island.c3.js">');
  assert.ok(island.includes("question") && island.includes("banner") && !island.includes("toast"), island);
  const both = await read(
    '<script src="/assets/app.a1.js" data-island-src="/assets/island.c3.js"><div data-island="/danke">',
  );
  assert.ok(both.includes("question") && both.includes("toast"), both);
});
