import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { coloursOf, readPalette } from "./palette.ts";

test("the dark scheme has the light one's colours where it changes none", () => {
  const css = ":root { --a: #ffffff; --b: #0d3550; --gap: 1rem }";
  const { light, dark } = coloursOf(`${css} @media (prefers-color-scheme: dark) { :root { --a: #000000 } }`);
  assert.deepEqual(Object.fromEntries(light), { "--a": "#ffffff", "--b": "#0d3550" });
  assert.deepEqual(Object.fromEntries(dark), { "--a": "#000000", "--b": "#0d3550" });
});

test("a colour that tokens.css does not have ends the build", async () => {
  const { light } = await readPalette(join(import.meta.dirname, ".."));
  assert.match(light("--harbour"), /^#[0-9a-f]{6}$/);
  assert.throws(() => light("--gold"), /tokens\.css has no colour --gold/);
});

test("the build repeats no colour of the style sheets", async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  for (const name of names.filter((one) => /(?<!\.test)\.ts$/.test(one))) {
    const source = await readFile(join(import.meta.dirname, name), "utf8");
    assert.doesNotMatch(source, /#[0-9a-f]{6}\b/i, name);
  }
});
