import assert from "node:assert/strict";
import { test } from "node:test";
import { toPalette } from "./card-palette.ts";

const [DARK, LIGHT, GREEN, GREY] = ["#102030", "#f0f0f0", "#70a090", "#808890"] as const;
const COLOURS = [DARK, LIGHT, GREEN];

/** Maps a row of pixels, given as hexadecimal colours. */
function map(...row: string[]) {
  const pixels = row.flatMap((hex) => [...Buffer.from(hex.slice(1), "hex"), 255]);
  const mapped = toPalette(Uint8Array.from(pixels), row.length, COLOURS, [GREY]);
  return row.map((_, index) => `#${Buffer.from(mapped.subarray(index * 3, index * 3 + 3)).toString("hex")}`);
}

test("a plain colour stays what it is", () => {
  assert.deepEqual(map(DARK, GREEN, LIGHT), [DARK, GREEN, LIGHT]);
});

test("an edge takes the nearest of the colours beside it and the grey", () => {
  assert.deepEqual(map(DARK, "#203040", LIGHT), [DARK, DARK, LIGHT]);
  assert.deepEqual(map(DARK, "#d8dce0", LIGHT), [DARK, LIGHT, LIGHT]);
});

test("no other colour shines at an edge, however near it is", () => {
  assert.deepEqual(map(DARK, LIGHT, LIGHT, "#72a08e", LIGHT), [DARK, LIGHT, LIGHT, GREY, LIGHT]);
  assert.deepEqual(map(GREEN, "#72a08e", LIGHT), [GREEN, GREEN, LIGHT]);
});

test("a mixture with no plain colour nearby becomes grey", () => {
  assert.deepEqual(map("#90a0a0"), [GREY]);
});
