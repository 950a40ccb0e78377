import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { inlineElement, inlineHashes, withoutRaw } from "./inline.ts";

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

test("styles and scripts of a page are hashed as the browser sees them", () => {
  const page = `<head>${inlineElement("style", "a{#b}")}${inlineElement("script", "let c={}")}</head>`;
  assert.deepEqual(inlineHashes(page), { styles: [hash("a{#b}")], scripts: [hash("let c={}")] });
  assert.equal(withoutRaw(page), "<head></head>");
});

test("data and files are no inline code", () => {
  const page = `<script type="application/ld+json">{{ site }}</script><script type="application/json" id="settings">1</script>
<script type="module" src="/assets/app.js"></script>`;
  assert.deepEqual(inlineHashes(page), { styles: [], scripts: [] });
});

test("code that the server would fill cannot have a hash", () => {
  assert.throws(() => inlineHashes("<script>let a = {{ origin }}</script>"), /is not marked as raw/);
  assert.throws(() => inlineElement("style", "a{}</style>"), /would end early/);
});
