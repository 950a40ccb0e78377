import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "../../..");
const FOLDERS = ["content", "ui/src"];

interface Rule {
  what: string;
  pattern: RegExp;
  /** How often it may occur in a file. */
  most: number;
  files: RegExp;
}

const ARTICLES = /^content\/articles\/.*\.mdx$/;
const ALL = /\.(?:mdx?|toml|tsx?)$/;
/** "Rinnen und Firsten" on the home page is not such a pair. */
const ALL_BUT_HOME = /(?<!content\/home)\.(?:mdx?|toml|tsx?)$/;

const RULES: Rule[] = [
  { what: "a phrase that wears out", pattern: /\bin der Regel\b/gi, most: 1, files: ARTICLES },
  { what: "a phrase that wears out", pattern: /\bmeist(?:ens)?\b/gi, most: 2, files: ARTICLES },
  {
    what: "zeigt [Link], steht unter [Link]",
    pattern:
      /\b(?:zeig(?:t|en)|lesen Sie|finden Sie|steh(?:t|en))\s+(?:(?:unter|in|im|der|die|das|dem|den|Beitrag|Vergleich|Ratgeber|Artikel|Text)\s+){0,3}\[/gi,
    most: 2,
    files: ARTICLES,
  },
  { what: "Fachbetrieb, as it is called here", pattern: /\bFachfirm/g, most: 0, files: ALL },
  { what: "Haltverbot, as the law calls it", pattern: /\bHalteverbot/g, most: 0, files: ALL },
  {
    what: "a pair form",
    pattern: /\p{L}+innen (?:und|oder|bzw\.) \p{Lu}|\p{L}+[:*_]innen\b/gu,
    most: 0,
    files: ALL_BUT_HOME,
  },
];

/** Sources are cited by their own titles. */
const CITED = /^\s+- title: .*$/gm;

test("texts follow the site's wording rules", async () => {
  const broken: string[] = [];
  for (const folder of FOLDERS)
    for (const name of await readdir(join(ROOT, folder), { recursive: true })) {
      const file = join(folder, name);
      if (!ALL.test(file)) continue;
      const text = (await readFile(join(ROOT, file), "utf8")).replace(CITED, "");
      for (const { what, pattern, most, files } of RULES) {
        const found = files.test(file) ? (text.match(pattern) ?? []) : [];
        if (found.length > most) broken.push(`${file}: ${what}: ${found.join(", ")}`);
      }
    }
  assert.deepEqual(broken, []);
});
