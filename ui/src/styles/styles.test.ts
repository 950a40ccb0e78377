import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";

const SRC = resolve(import.meta.dirname, "..");

/** Code that makes pages: components, scripts, drawings, the build; no tests and no style sheets. */
const CODE = /(?<!\.test|\.d)\.(?:tsx?|mjs|js|svg)$/;

/** Every style sheet by its name, without comments and texts. */
const sheets = await textsOf(SRC, /\.css$/);

test("only where a pointer hovers does a rule wait for one: a finger leaves it behind", () => {
  for (const [name, css] of sheets)
    assert.doesNotMatch(css.replaceAll(/^( *)@media \(hover: hover\) \{[\s\S]*?^\1\}$/gm, ""), /:hover/, name);
});

test("every class and every attribute that a rule is about is in some code", async () => {
  const code = [...(await textsOf(SRC, CODE)), ...(await textsOf(resolve(SRC, "../build"), CODE))].join("\n");
  const words = new Set(code.match(/[\w-]+/g));
  // What names begin with that code puts together: `chart-${demand}`.
  const beginnings = [...code.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, beginning = ""]) => beginning);
  const isUsed = (name: string) => words.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (const [sheet, css] of sheets) {
    for (const [, name = ""] of css.matchAll(/\.([a-z][\w-]*)/g)) assert.ok(isUsed(name), `${sheet}: .${name}`);
    for (const [, name = ""] of css.matchAll(/\[data-([\w-]+)/g))
      assert.ok(isUsed(`data-${name}`) || isUsed(camelCase(name)), `${sheet}: data-${name}`);
  }
});

/** The texts of files below a folder, without comments, and of style sheets without texts. */
async function textsOf(folder: string, wanted: RegExp): Promise<[string, string][]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => wanted.test(name));
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(folder, name), "utf8");
      return [name, name.endsWith(".css") ? text.replaceAll(/\/\*[\s\S]*?\*\/|"[^"\n]*"/g, "") : text];
    }),
  );
}
