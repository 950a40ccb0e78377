import assert from "node:assert/strict";
import { test } from "node:test";
import { literalsOfScripts } from "../../tests/support/literals.ts";
import { typeset, typesetHtml } from "./typography.ts";

test("what belongs together stays on one line, wherever the text comes from", () => {
  const cases: [string, string][] = [
    ["<p>98 % sind zufrieden</p>", "<p>98\u00a0% sind zufrieden</p>"],
    ["<p>ab 6.30 Uhr, am 4. Mai</p>", "<p>ab 6.30\u00a0Uhr, am 4.\u00a0Mai</p>"],
    ["Art. 6 Abs. 1 lit. b DSGVO", "Art.\u00a06 Abs.\u00a01 lit.\u00a0b DSGVO"],
    ["§§ 906, 1004 BGB", "§§\u00a0906,\u00a01004 BGB"],
    ["§ 7a UWG, § 11 TierSchG, § 5 der Satzung", "§\u00a07a\u00a0UWG, §\u00a011\u00a0TierSchG, §\u00a05 der Satzung"],
    ["20000 bis 22999, etwa 820–2.650 Euro", "20000\u00a0bis\u00a022999, etwa\u00a0820–2.650\u00a0Euro"],
    ["10 C 456/11 und VII ZR 6/13", "10\u00a0C\u00a0456/11 und VII\u00a0ZR\u00a06/13"],
    ["(40a C 2574/87) und 2Z BR 38/03", "(40a\u00a0C\u00a02574/87) und 2Z\u00a0BR\u00a038/03"],
    ["(1) Ösen, (2) Randseil", "(1)\u00a0Ösen, (2)\u00a0Randseil"],
    ["<b>innerhalb von 24 Stunden</b>", "<b>innerhalb von 24\u00a0Stunden</b>"],
    ['<img alt="50 km"><code>5 km</code>', '<img alt="50 km"><code>5 km</code>'],
    ["{% if a %}5 {{ b }}", "{% if a %}5 {{ b }}"],
  ];
  for (const [html, expected] of cases) assert.equal(typesetHtml(html), expected);
});

/** Texts that only machines read, or that the build typesets when it renders a page. */
const RENDERED_BY_THE_BUILD = /^ui\/src\/(?:pages|private)\//;

test("texts rendered in the browser stay on one line without the build", async () => {
  const literals = (await literalsOfScripts()).filter(({ file }) => !RENDERED_BY_THE_BUILD.test(file));
  assert.ok(literals.length > 300, `${literals.length}`);
  const broken = literals.filter(({ text }) => typeset(text) !== text).map(({ file, text }) => `${file}: ${text}`);
  assert.deepEqual(broken, []);
});
