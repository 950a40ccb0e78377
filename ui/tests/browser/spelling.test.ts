import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { useSite } from "./support/stage.ts";
import { visibleText } from "./support/visible-text.ts";

/** Words that are right and that the German dictionary does not know: names, terms of the trade, rare compounds. */
const OUR_WORDS = resolve(import.meta.dirname, "../../../tests/woerter.txt");

const pages = new Map<string, string>();
useSite(
  () => startOperatorSite(TAGS),
  async ({ site }) => {
    for (const path of await everyPath(site.url))
      pages.set(path, visibleText(await (await fetch(site.url + path)).text()));
  },
);

/** Letters, and hyphens between them. Handed over one a line: hunspell would take a full stop or a loose hyphen for a part. */
const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/** Words that neither the dictionary nor our list knows, in their order. */
async function unknownWords(german: string): Promise<string[]> {
  const hunspell = spawn("hunspell", ["-d", "de_DE", "-i", "UTF-8", "-l"], { stdio: ["pipe", "pipe", "inherit"] });
  hunspell.stdin.end((german.match(WORD) ?? []).join("\n"));
  const ended = new Promise<number | null>((done, fail) => hunspell.once("exit", done).once("error", fail));
  const [words, code] = await Promise.all([text(hunspell.stdout), ended]);
  assert.equal(code, 0, "hunspell needs Debian's hunspell and hunspell-de-de; scripts/test installs them");
  // Not hunspell's own personal list: it refuses words there that the dictionary has as parts of others only.
  const ours = new Set((await readFile(OUR_WORDS, "utf8")).split("\n"));
  return words.split("\n").filter((word) => word !== "" && !ours.has(word));
}

test("the dictionary is there, and finds what is wrong", async () => {
  assert.deepEqual(await unknownWords("Tauben nissten auf dem Balkohn, Taubenspikes helfen."), ["nissten", "Balkohn"]);
});

test("every word of every page is spelt as a dictionary has it", async () => {
  const unknown = new Set(await unknownWords([...pages.values()].join("\n")));
  const found = [...unknown].map((word) => {
    const [path, page = ""] = [...pages].find(([, german]) => german.includes(word)) ?? ["?"];
    const at = page.indexOf(word);
    return `${word} (${path}): …${page.slice(Math.max(0, at - 30), at + word.length + 30).replace(/\s+/g, " ")}…`;
  });
  assert.equal(found.length, 0, `not in the dictionary, nor in tests/woerter.txt:\n${found.join("\n")}`);
});
