import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { test } from "node:test";
import { FAMILIES, styleImports } from "../../build/styles.ts";

const SRC = resolve(import.meta.dirname, "..");

/** The breakpoints that `tokens.css` names. */
const WIDTHS = ["40rem", "48rem", "64rem", "76rem"];
const HEIGHTS = ["30rem", "40rem", "60rem"];

/** Style sheets whose classes any component may use, and the one that knows all components. */
const SHARED = ["base", "controls", "primitives", "drawings", "layout"].map((name) => `styles/${name}.css`);
const PRINT = "styles/print.css";

/** What `styles/index.css` imports for all components of a family. */
const COMPONENTS = "styles/components.css";

/** Declarations that name a side of the screen instead of a side of the text, and lengths that name an axis of it. */
const PHYSICAL = new RegExp(
  [
    String.raw`^\s+(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:top|right|bottom|left)(?:-\w+)?:`,
    String.raw`^\s+(?:min-|max-)?(?:width|height):`,
    String.raw`^\s+(?:margin|padding|inset)(?:: (?:\S+ ){3}\S+;)`,
    String.raw`(?:text-align|float|clear): (?:left|right)`,
  ].join("|"),
);

/** What only `tokens.css` says, and of fonts their rules: weights, levels, the room between the page and the edges of the screen. */
const LITERAL = /^\s+(?:font-weight|z-index|font): *-?\d+(?![\w.])|clamp\(1rem, 4vw, 1\.5rem\)/;

/** Code that makes pages: components, scripts, drawings, the build; no tests and no style sheets. */
const CODE = /(?<!\.test|\.d)\.(?:tsx?|mjs|js|svg)$/;

const sheets = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith(".css"));

/** Every line of every style sheet, with its place. */
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

test("only where a pointer hovers does a rule wait for one: a finger leaves it behind", async () => {
  for (const name of sheets) {
    const text = await readFile(join(SRC, name), "utf8");
    const rest = text.replaceAll(/^( *)@media \(hover: hover\) \{[\s\S]*?^\1\}$/gm, "");
    assert.doesNotMatch(rest, /:hover/, name);
  }
});

test("every style sheet is imported, those of the site by some family of pages", async () => {
  const index = await readFile(join(SRC, "styles/index.css"), "utf8");
  const byHand = [...index.matchAll(/@import "\.\/([^"]+)"/g)].map(([, name = ""]) => join("styles", name));
  const byFamily = FAMILIES.map((family) => styleImports(sheets, family));
  const imported = new Set([...byFamily.join("").matchAll(/@import "\.\.\/([^"]+)"/g)].map(([, name = ""]) => name));
  const all = sheets.filter((name) => name !== "styles/index.css");
  assert.deepEqual([...byHand.filter((name) => name !== COMPONENTS), ...imported].toSorted(), all.toSorted());
});

test("weights, layers and the gutter are tokens", async () => {
  const literals = (await lines()).filter(
    ({ place, line }) => !/^styles\/(?:tokens|fonts)\.css/.test(place) && LITERAL.test(line),
  );
  assert.deepEqual(literals, []);
});

test("every class and every attribute that a rule is about is in some code or text", async () => {
  const { words, beginnings } = await wordsOfCode();
  const isUsed = (name: string) => words.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  const dead = (await Promise.all(sheets.map(selectorsOf))).flat().flatMap((selector) => {
    const attributes = [...selector.matchAll(/\[data-([\w-]+)/g)].map(([, name = ""]) => name);
    const isSet = (name: string) => isUsed(`data-${name}`) || isUsed(camelCase(name));
    const missing = [...classesOf(selector).filter((one) => !isUsed(one)), ...attributes.filter((one) => !isSet(one))];
    return missing.map((name) => `${name} in ${selector}`);
  });
  assert.deepEqual(dead, []);
});

/** The words of all code that makes pages, and what names begin with that it puts together: `chart-${demand}`. */
async function wordsOfCode(): Promise<{ words: Set<string>; beginnings: string[] }> {
  const places = [SRC, resolve(SRC, "../build")];
  const texts = places.map(async (place) => {
    const names = (await readdir(place, { recursive: true })).filter((name) => CODE.test(name));
    return Promise.all(names.map((name) => readFile(join(place, name), "utf8")));
  });
  const code = (await Promise.all(texts)).flat().join("\n");
  return {
    words: new Set(code.match(/[\w-]+/g)),
    beginnings: [...code.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, beginning = ""]) => beginning),
  };
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

test("a style sheet's classes begin with its name, and each rule is about one of them", async () => {
  const wrong: string[] = [];
  const shared = new Set((await Promise.all(SHARED.map(selectorsOf))).flat().flatMap(classesOf));
  for (const name of sheets.filter((one) => one !== PRINT && !SHARED.includes(one))) {
    for (const selector of await selectorsOf(name)) {
      const classes = classesOf(selector);
      const own = classes.filter((one) => ownerOf(one) === name);
      const stray = classes.filter((one) => !ownerOf(one) && !shared.has(one));
      if (own.length === 0 || stray.length > 0) wrong.push(`${name}: ${selector}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("no two style sheets of components have the same name", () => {
  const names = sheets.map((name) => basename(name));
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

/** The style sheet that a class is named after: `article-card.css` has `article-card`, `article-cards`, `article-card-title`. */
function ownerOf(className: string): string | undefined {
  const owners = sheets.filter((name) => {
    const stem = basename(name, ".css");
    return [stem, `${stem}s`].some((one) => className === one || className.startsWith(`${one}-`));
  });
  return owners.toSorted((a, b) => basename(b).length - basename(a).length)[0];
}

/** The selectors of a style sheet, those of pages' elements and of at-rules aside. */
async function selectorsOf(name: string): Promise<string[]> {
  const text = (await readFile(join(SRC, name), "utf8")).replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const preludes = [...text.matchAll(/([^{};]+)\{/g)].map(([, prelude = ""]) => prelude.trim());
  return preludes
    .flatMap((prelude) => (prelude.startsWith("@") ? [] : splitList(prelude)))
    .filter((one) => one.includes("."));
}

/** Splits a list of selectors at its commas, those in parentheses aside. */
function splitList(prelude: string): string[] {
  let depth = 0;
  let current = "";
  const selectors: string[] = [];
  for (const character of prelude) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) {
      selectors.push(current);
      current = "";
    } else current += character;
  }
  return [...selectors, current].map((one) => one.trim());
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = ""]) => name);
}
