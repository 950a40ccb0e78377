import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fillTemplates } from "./support/filled-templates.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { useSite } from "./support/stage.ts";
import { visibleText } from "./support/visible-text.ts";

/** Correct words that the German dictionary lacks: names, technical terms, rare compounds. */
const OUR_WORDS = resolve(import.meta.dirname, "../../../tests/woerter.txt");

const pages = new Map<string, string>();
useSite(
  () => startOperatorSite(TAGS),
  async ({ site }) => {
    for (const path of await everyPath(site.url))
      pages.set(path, visibleText(await (await fetch(site.url + path)).text()));
    const filled = await fillTemplates();
    for (const [name, html] of Object.entries(filled.pages)) pages.set(`private page ${name}`, visibleText(html));
    for (const [name, { subject, html }] of Object.entries(filled.mails))
      pages.set(`mail ${name}`, `${subject}\n${visibleText(html)}`);
  },
);

/** Letters with hyphens between them: hunspell would take a full stop or a stray hyphen as part of the word. */
const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/** Returns the words that neither the dictionary nor our list has, in their order. */
async function unknownWords(german: string): Promise<string[]> {
  const hunspell = spawn("hunspell", ["-d", "de_DE", "-i", "UTF-8", "-l"], { stdio: ["pipe", "pipe", "inherit"] });
  hunspell.stdin.end((german.match(WORD) ?? []).join("\n"));
  const ended = new Promise<number | null>((done, fail) => hunspell.once("exit", done).once("error", fail));
  const [words, code] = await Promise.all([text(hunspell.stdout), ended]);
  assert.equal(code, 0, "hunspell needs Debian's hunspell and hunspell-de-de; scripts/test installs them");
  // Not a personal dictionary of hunspell, which rejects words that the German one has only as parts of compounds.
  const ours = new Set((await readFile(OUR_WORDS, "utf8")).split("\n"));
  return words.split("\n").filter((word) => word !== "" && !ours.has(word));
}

test("the dictionary is installed and finds misspelt words", async () => {
  assert.deepEqual(await unknownWords("Tauben nissten auf dem Balkohn, Taubenspikes helfen."), ["nissten", "Balkohn"]);
});

test("every word on every page is spelt correctly", async () => {
  const unknown = new Set(await unknownWords([...pages.values()].join("\n")));
  const found = [...unknown].map((word) => {
    const [path, page = ""] = [...pages].find(([, german]) => german.includes(word)) ?? ["?"];
    const at = page.indexOf(word);
    return `${word} (${path}): …${page.slice(Math.max(0, at - 30), at + word.length + 30).replace(/\s+/g, " ")}…`;
  });
  assert.equal(found.length, 0, `neither in the dictionary nor in tests/woerter.txt:\n${found.join("\n")}`);
});
