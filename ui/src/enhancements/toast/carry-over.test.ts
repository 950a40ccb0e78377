import assert from "node:assert/strict";
import { test } from "node:test";
import { readToasts } from "./carry-over.ts";

const NOW = 1_700_000_000_000;
const INFO = { tone: "info", title: "Text kopiert", group: "copy", id: 3 };

test("what was shown a moment ago is shown again", () => {
  const linked = { tone: "error", title: "x", description: "y", link: { href: "/anfrage/x", label: "z" } };
  assert.deepEqual(readToasts(JSON.stringify({ at: NOW - 1_000, toasts: [INFO, linked] }), NOW), [INFO, linked]);
});

test("what is old, strange or leads elsewhere is not", () => {
  const abroad = { ...INFO, link: { href: "https://example.com/", label: "x" } };
  for (const text of [
    null,
    undefined,
    "",
    "{",
    "null",
    "[]",
    JSON.stringify({ at: NOW - 60_000, toasts: [INFO] }),
    JSON.stringify({ at: NOW, toasts: {} }),
    JSON.stringify({ at: NOW, toasts: [abroad, { tone: "loud", title: "x" }, { tone: "info" }, null] }),
  ]) {
    assert.deepEqual(readToasts(text, NOW), [], String(text));
  }
});
