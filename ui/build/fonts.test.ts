import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import wawoff from "wawoff2";
import { literalsOfScripts } from "../tests/support/literals.ts";

const FONTS = resolve(import.meta.dirname, "../src/styles/fonts");
const CONTENT = resolve(import.meta.dirname, "../../content");

/** Characters that only occur in code and comments, never in headings. */
const CODE = /[\p{Cc}#$*<=>@[\\\]^_`{|}~→]/u;

test("the fonts contain every letter of every text", async () => {
  const names = (await readdir(CONTENT, { recursive: true })).filter((name) => /\.(?:mdx?|toml)$/.test(name));
  const files = await Promise.all(names.map((name) => readFile(join(CONTENT, name), "utf8")));
  const texts = [...files, ...(await literalsOfScripts()).map(({ text }) => text)];
  const used = [...new Set(texts.join(""))].filter((letter) => !CODE.test(letter));
  for (const fonts of [
    ["source-sans-3", "source-sans-3-further"],
    ["besley", "besley-names", "besley-further"],
  ]) {
    const letters = (await Promise.all(fonts.map(lettersOf))).join("");
    assert.deepEqual(
      used.filter((letter) => !letters.includes(letter)),
      [],
      fonts[0],
    );
  }
});

/** Returns the letters in a font's table of characters, OpenType's `cmap` in format 4. */
async function lettersOf(name: string): Promise<string> {
  const font = Buffer.from(await wawoff.decompress(await readFile(join(FONTS, `${name}.woff2`))));
  const word = (at: number) => font.readUInt16BE(at);
  const table = font.readUInt32BE(font.indexOf("cmap") + 8);
  const start = table + font.readUInt32BE(table + 8);
  assert.equal(word(start), 4, name);
  const segments = word(start + 6);
  const letters = [];
  for (let at = start + 14; at < start + 14 + segments; at += 2) {
    const [first, last, delta, offset] = [
      word(at + segments + 2),
      word(at),
      word(at + 2 * segments + 2),
      word(at + 3 * segments + 2),
    ];
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph = offset === 0 ? code + delta : word(at + 3 * segments + 2 + offset + 2 * (code - first));
      if (glyph % 0x10000 !== 0) letters.push(String.fromCharCode(code));
    }
  }
  return letters.join("");
}
