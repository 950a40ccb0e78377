import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import generated from "../../generated/articles.json" with { type: "json" };
import faq from "../../generated/faq.json" with { type: "json" };
import { CONTENT, readFacts, readTexts, type Text } from "../../tests/support/content.ts";
import { repeated } from "../../tests/support/sentences.ts";

/** The number of words of an article. */
const WORDS = { least: 1000, most: 2000 };

/** The number of characters of an excerpt, which search engines show as the description. */
const EXCERPT = { least: 100, most: 160 };

let texts: Text[] = [];
before(async () => {
  texts = await readTexts();
});

test("every article is long enough, and ends with what to do next", () => {
  assert.ok(texts.length >= 13);
  for (const { id, plain, source } of texts) {
    const words = plain.split(/\s+/).length;
    assert.ok(words >= WORDS.least && words <= WORDS.most, `${id}: ${words} words`);
    assert.match(source, /<\/NextSteps>\s*$/, id);
  }
});

test("every article has an excerpt that stands alone, a unique title and a team as its author", () => {
  const titles = new Set(generated.map(({ title }) => title));
  assert.equal(titles.size, generated.length);
  for (const { id, excerpt, author, tags } of generated) {
    assert.ok(excerpt.length >= EXCERPT.least && excerpt.length <= EXCERPT.most, `${id}: ${excerpt.length} characters`);
    assert.match(excerpt, /^[\p{Lu}„].*[.?]$/u, id);
    assert.match(author, /^Redaktion /, id);
    assert.ok(tags.length >= 3, id);
  }
});

test("every article links to others, and is linked from at least one", () => {
  const targets = texts.flatMap(({ id, source }) =>
    [...source.matchAll(/\]\(\/blog\/([a-z0-9-]+)/g)].map(([, to]) => ({ id, to })),
  );
  for (const { id } of texts) {
    assert.ok(
      targets.some((link) => link.id === id && link.to !== id),
      `${id} links to no other article`,
    );
    assert.ok(
      targets.some((link) => link.to === id && link.id !== id),
      `no other article links to ${id}`,
    );
  }
});

test("no sentence occurs in two articles, twice in one, or also in the FAQ", () => {
  const answers = faq.entries.map(({ id, answer }) => ({ id: `faq#${id}`, plain: answer }));
  assert.deepEqual(repeated([...texts, ...answers]), []);
});

test("every figure of facts.toml is used", async () => {
  const folders = [CONTENT, resolve(import.meta.dirname, "../../src")];
  const sources = await Promise.all(folders.map(sourcesIn));
  const used = sources.join("\n");
  const unused = Object.keys(await readFacts()).filter((name) => !new RegExp(`["'{]${name}["'}]`).test(used));
  assert.deepEqual(unused, []);
});

/** Returns all texts and code below a folder, without the facts themselves. */
async function sourcesIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const wanted = names.filter((name) => /\.(mdx|toml|tsx?)$/.test(name) && name !== "facts.toml");
  return (await Promise.all(wanted.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}
