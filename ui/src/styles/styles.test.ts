import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";

const SRC = resolve(import.meta.dirname, "..");

/** The breakpoints that `tokens.css` names. */
const WIDTHS = ["40rem", "48rem", "64rem", "76rem"];
const HEIGHTS = ["30rem", "40rem", "60rem"];

/** Declarations that name a side of the screen instead of a side of the text, and lengths that name an axis of it. */
const PHYSICAL = new RegExp(
  [
    String.raw`^\s+(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:top|right|bottom|left)(?:-\w+)?:`,
    String.raw`^\s+(?:min-|max-)?(?:width|height):`,
    String.raw`^\s+(?:margin|padding|inset)(?:: (?:\S+ ){3}\S+;)`,
    String.raw`(?:text-align|float|clear): (?:left|right)`,
  ].join("|"),
);

const sheets = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith(".css"));

/** Every line of every style sheet, with the place where it stands. */
async function lines(): Promise<{ place: string; line: string }[]> {
  const perFile = sheets.map(async (name) => {
    const text = await readFile(join(SRC, name), "utf8");
    return text.split("\n").map((line, index) => ({ place: `${name}:${index + 1}`, line }));
  });
  return (await Promise.all(perFile)).flat();
}

test("style sheets use logical properties", async () => {
  const physical = (await lines()).filter(({ line }) => PHYSICAL.test(line));
  assert.deepEqual(physical, []);
});

test("style sheets use the breakpoints that tokens.css names", async () => {
  const tokens = await readFile(join(SRC, "styles/tokens.css"), "utf8");
  for (const length of [...WIDTHS, ...HEIGHTS]) assert.ok(tokens.includes(length), length);
  for (const { place, line } of await lines()) {
    if (!line.trim().startsWith("@media")) continue;
    for (const query of line.match(/\([^)]*\b(?:width|height)\b[^)]*\)/g) ?? []) {
      const known = query.includes("width") ? WIDTHS : HEIGHTS;
      for (const length of query.match(/[\d.]+\w+/g) ?? []) assert.ok(known.includes(length), `${place}: ${length}`);
    }
  }
});

test("every style sheet is registered in index.css, and nothing else is", async () => {
  const index = await readFile(join(SRC, "styles/index.css"), "utf8");
  const registered = [...index.matchAll(/@import "([^"]+)"/g)].map(([, path = ""]) => join("styles", path));
  assert.deepEqual(registered.toSorted(), sheets.filter((name) => name !== "styles/index.css").toSorted());
});
