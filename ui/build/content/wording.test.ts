import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { CONTENT, readTexts, type Text } from "../../tests/support/content.ts";

const SOURCES = resolve(import.meta.dirname, "../../src");

/** Phrases that wear out, and how often an article may use each. */
const STOCK: [string, RegExp, number][] = [
  ["in der Regel", /\bin der Regel\b/gi, 1],
  ["meist", /\bmeist(?:ens)?\b/gi, 2],
  [
    "zeigt [Link], steht unter [Link]",
    /\b(?:zeig(?:t|en)|lesen Sie|finden Sie|steh(?:t|en))\s+(?:(?:unter|in|im|der|die|das|dem|den|Beitrag|Vergleich|Ratgeber|Artikel|Text)\s+){0,3}\[/gi,
    2,
  ],
];

/** Words that have one form on this site. A source is cited by the title that it has. */
const CITED = /^\s+- title: .*$/gm;
const OUR_WORDS: [RegExp, string][] = [
  [/\bFachfirm/, "Fachbetrieb"],
  [/\bHalteverbot/, "Haltverbot"],
];

/** "Kundinnen und Kunden" and its kin: on the home page only, whose claims are in a file of their own. */
const PAIRS = /\p{L}+innen (?:und|oder|bzw\.) \p{Lu}|\p{L}+[:*_]innen\b/u;
const WITH_PAIRS = ["home.toml", "claims.toml"];

let texts: Text[] = [];
let sources: { file: string; text: string }[] = [];
before(async () => {
  texts = await readTexts();
  sources = [...(await filesIn(CONTENT)), ...(await filesIn(SOURCES))];
});

async function filesIn(folder: string): Promise<{ file: string; text: string }[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(mdx?|toml|tsx?)$/.test(name));
  return Promise.all(names.map(async (file) => ({ file, text: await readFile(join(folder, file), "utf8") })));
}

test("no article wears out a phrase", () => {
  const worn = texts.flatMap(({ id, source }) =>
    STOCK.flatMap(([phrase, pattern, most]) => {
      const count = source.match(pattern)?.length ?? 0;
      return count > most ? [`${id}: ${count} times "${phrase}"`] : [];
    }),
  );
  assert.deepEqual(worn, []);
});

test("a thing has one name everywhere", () => {
  const found = sources.flatMap(({ file, text }) =>
    OUR_WORDS.flatMap(([wrong, right]) =>
      wrong.test(text.replace(CITED, "")) ? [`${file}: ${wrong} is ${right} here`] : [],
    ),
  );
  assert.deepEqual(found, []);
});

test("pair forms stand on the home page only", () => {
  const found = sources.filter(({ file, text }) => !WITH_PAIRS.includes(file) && PAIRS.test(text));
  assert.deepEqual(
    found.map(({ file, text }) => `${file}: ${PAIRS.exec(text)?.[0]}`),
    [],
  );
});
