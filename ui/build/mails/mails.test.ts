import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { CONTENT } from "../../tests/support/content.ts";
import { readPalette } from "../palette.ts";
import { parseMarkdown } from "./markdown.ts";
import { readMails } from "./read.ts";
import { renderText } from "./text.ts";

const UI = resolve(import.meta.dirname, "../..");

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "taubenabwehr-mails-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Reads the mails after changing one of them. */
async function readChanged(file: string, from: string, to: string) {
  await cp(join(CONTENT, "mails"), folder, { recursive: true, force: true });
  const source = await readFile(join(folder, file), "utf8");
  assert.ok(source.includes(from), `${file} has no ${from}`);
  await writeFile(join(folder, file), source.replace(from, to));
  return readMails(folder, await readPalette(UI));
}

test("a mistake in a mail is reported in one line, with its file and line", async () => {
  const cases: [file: string, from: string, to: string, expected: RegExp][] = [
    [
      "firm-erased.md",
      "subject:",
      "subjekt:",
      /firm-erased\.md:3: subjekt: unknown key; known are label, subject, preview/,
    ],
    ["firm-erased.md", 'subject: "Daten', '# subject: "Daten', /firm-erased\.md:\d+: subject: must be a text/],
    ["firm-erased.md", "Guten Tag,", "<b>Guten Tag</b>", /firm-erased\.md:9: a mail holds no html/],
    ["firm-erased.md", "Guten Tag,", "![Bild](https://example.com/a.png)", /firm-erased\.md:9: a mail holds no image/],
  ];
  for (const [file, from, to, expected] of cases) {
    await assert.rejects(readChanged(file, from, to), (error: Error) => {
      assert.match(error.message, expected);
      assert.equal(error.message.split("\n").length, 1);
      return true;
    });
  }
});

test("tags between items do not split a list, and leave nothing behind if their condition is not met", () => {
  const blocks = parseMarkdown("- a\n{% if inquiry.x %}\n- b_{{ inquiry.first_name }}_\n{% endif %}\n- c\n");
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ["items"],
  );
  assert.equal(renderText(blocks), "- a\n{% if inquiry.x %}- b_{{ inquiry.first_name }}_\n{% endif %}- c\n\n");
});

test("text and HTML of a mail come from one source", async () => {
  const mails = await readMails(join(CONTENT, "mails"), await readPalette(UI));
  const request = mails.find(({ name }) => name === "firm-request");
  assert.ok(request);
  assert.match(request.text, /\nAnfrage ansehen und antworten: \{\{ link \}\}\n/);
  assert.match(request.html, /<a href="\{\{ link \}\}" class="button" [^>]*>Anfrage ansehen und antworten<\/a>/);
  assert.match(request.text, /\{\{ inquiry\.addition \| quoted \}\}/);
  assert.match(request.html, /white-space:pre-line[^>]*>\{\{ inquiry\.addition \}\}<\/div>/);
  assert.equal(request.html.match(/<table role="presentation" class/g)?.length, 1);
});
