import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { typesetHtml } from "../../build/content/typography.ts";
import { type Literal, literalsOfContent, literalsOfScripts, literalsOfServer } from "../support/literals.ts";
import { fillTemplates } from "./support/filled-templates.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { useSite } from "./support/stage.ts";

/** Correct words that the German dictionary lacks: names, technical terms, rare compounds. */
const OUR_WORDS = resolve(import.meta.dirname, "../../../tests/woerter.txt");

const documents = new Map<string, string>();
const pages = new Map<string, string>();
useSite(
  () => startOperatorSite(TAGS),
  async ({ site }) => {
    for (const path of await everyPath(site.url)) documents.set(path, await (await fetch(site.url + path)).text());
    const filled = await fillTemplates();
    for (const [name, html] of Object.entries(filled.pages)) documents.set(`private page ${name}`, html);
    for (const [name, { html }] of Object.entries(filled.mails)) documents.set(`mail ${name}`, html);
    for (const [name, html] of documents) pages.set(name, visibleText(html));
    for (const [name, { subject }] of Object.entries(filled.mails)) pages.set(`subject of ${name}`, subject);
  },
);

/** Letters joined by hyphens: hunspell would treat a full stop or a stray hyphen as part of the word. */
const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/** Returns the words that are neither in the dictionary nor in our list, in their order. */
async function unknownWords(german: string): Promise<string[]> {
  const hunspell = spawn("hunspell", ["-d", "de_DE", "-i", "UTF-8", "-l"], { stdio: ["pipe", "pipe", "inherit"] });
  hunspell.stdin.end((german.match(WORD) ?? []).join("\n"));
  const ended = new Promise<number | null>((done, fail) => hunspell.once("exit", done).once("error", fail));
  const [words, code] = await Promise.all([text(hunspell.stdout), ended]);
  assert.equal(code, 0, "hunspell needs Debian's hunspell and hunspell-de-de; scripts/test installs them");
  // Not a personal dictionary of hunspell: that rejects words which the German one knows only as parts of compounds.
  const ours = new Set((await readFile(OUR_WORDS, "utf8")).split("\n"));
  return words.split("\n").filter((word) => word !== "" && !ours.has(word));
}

test("the dictionary is installed and detects misspelt words", async () => {
  assert.deepEqual(await unknownWords("Tauben nissten auf dem Balkohn, Taubenspikes helfen."), ["nissten", "Balkohn"]);
});

/** Returns what a visitor reads or hears: text and spoken attributes, without code, styles and addresses. */
function visibleText(html: string): string {
  const attributes = [...html.matchAll(/\s(?:alt|title|aria-label|placeholder)="([^"]*)"/g)];
  const descriptions = [
    ...html.matchAll(/<meta (?:name|property)="(?:description|keywords|og:title)" content="([^"]*)"/g),
  ];
  const shown = html
    .replace(/<(script|style|code)\b[^>]*>.*?<\/\1>/gs, " ")
    .replace(PARTS_OF_WORDS, "")
    .replace(/<[^>]*>/g, "\n");
  const spoken = [...attributes, ...descriptions].map(([, text = ""]) => text);
  return [shown, ...spoken].map(unescape).join("\n").replaceAll("\u00ad", "").replace(ADDRESSES, " ");
}

/** Markup that may occur inside a word; any other ends it. */
const PARTS_OF_WORDS = /<\/?(?:b|em|i|strong|sub|sup)\b[^>]*>|<!-- -->/g;

/** E-mail and web addresses, paths and file names, which are not words. */
const ADDRESSES =
  /\S*(?:@|:\/\/|\/[a-z])\S*|\S+\.(?:de|be|com|org|net|io|eu|edu|gov|news|berlin|hamburg|nrw|it|png|svg|example)\b/g;

const ENTITIES: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", nbsp: "\u00a0" };

function unescape(text: string): string {
  return text.replace(/&(?:(\w+)|#x([0-9a-f]+)|#(\d+));/gi, (whole, name?: string, hex?: string, decimal?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Returns each unknown word with the text around its first occurrence. */
async function misspelt(places: ReadonlyMap<string, string>): Promise<string[]> {
  const unknown = new Set(await unknownWords([...places.values()].join("\n")));
  return [...unknown].map((word) => {
    const [place, text = ""] = [...places].find(([, german]) => german.includes(word)) ?? ["?"];
    const at = text.indexOf(word);
    return `${word} (${place}): …${text.slice(Math.max(0, at - 30), at + word.length + 30).replace(/\s+/g, " ")}…`;
  });
}

const WANTED = "neither in the dictionary nor in tests/woerter.txt";

test("every word on every page is spelt correctly", async () => {
  const found = await misspelt(pages);
  assert.equal(found.length, 0, `${WANTED}:\n${found.join("\n")}`);
});

/** Names that occur beside German words in texts of the code: of keys, headers and kinds of works. */
const NAMES_IN_CODE = /\b(?:Arrow|Escape|Location|Legislation|Form-[A-Z]\w+|Content-Type|Idempotency-Key)\b/g;
/** Placeholders that are filled in later. */
const PLACEHOLDERS = /\{\{.*?\}\}|\{\w+\}/g;

/** Returns literals by file, without placeholders and names. */
function byFile(literals: Literal[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { file, text } of literals) {
    const german = visibleText(text).replace(PLACEHOLDERS, " ").replace(NAMES_IN_CODE, " ");
    texts.set(file, `${texts.get(file) ?? ""}${german}\n`);
  }
  return texts;
}

test("every German text in scripts, server and content is spelt correctly, whether or not a page shows it", async () => {
  for (const [read, least] of [
    [literalsOfScripts, 350],
    [literalsOfServer, 20],
    [literalsOfContent, 350],
  ] as const) {
    const literals = await read();
    assert.ok(literals.length >= least, `${read.name}: ${literals.length}`);
    const found = await misspelt(byFile(literals));
    assert.equal(found.length, 0, `${WANTED}:\n${found.join("\n")}`);
  }
});

/** A visitor's own text is shown unchanged. Facts, and claims that the server fills in, are kept together by CSS. */
const KEPT =
  /<blockquote\b.*?<\/blockquote>|<div class="quote".*?<\/div>|<(span|td) class="fact">[^<]*<\/\1>|<dd>[^<]*<\/dd>/gs;

/** Returns the places where a line may break but must not, with some text around them. */
function breaks(html: string): string[] {
  const letters = [...html.slice(html.indexOf("<body")).replaceAll(KEPT, "")];
  const typeset = [...typesetHtml(letters.join(""))];
  const around = (at: number) => letters.slice(Math.max(0, at - 20), at + 20).join("");
  return letters.flatMap((letter, at) => (letter === typeset[at] ? [] : [around(at)]));
}

test("numbers stay with their units, and section signs with their numbers, on all pages, forms and mails", () => {
  assert.deepEqual(breaks("<body><p>bis zu 50 km</p>"), ["<body><p>bis zu 50 km</p>"]);
  assert.ok(documents.size > 60, `${documents.size}`);
  const found = [...documents].flatMap(([name, html]) => breaks(html).map((place) => `${name}: …${place}…`));
  assert.deepEqual(found, []);
});
