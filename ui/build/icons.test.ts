import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { readPalette } from "./palette.ts";

const UI = resolve(import.meta.dirname, "..");
const read = (name: string) => readFile(join(UI, "public", name));

test("icons have the sizes that their names and the manifest state, and the colours of the site", async () => {
  const { light } = await readPalette(UI);
  const colours = String(await read("favicon.svg")).match(/#[0-9a-f]{6}/g);
  assert.deepEqual(colours, ["--harbour", "--on-harbour", "--signal"].map(light));
  const sizes = { "apple-touch-icon": 180, "icon-192": 192, "icon-512": 512, "icon-maskable-512": 512 };
  for (const [name, size] of Object.entries(sizes)) {
    const image = sharp(await read(`${name}.png`));
    const { width, height } = await image.metadata();
    assert.deepEqual([width, height], [size, size], name);
    const corner = await image.extract({ left: 0, top: 0, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
    assert.equal(`#${corner.toString("hex")}`, light("--harbour"), name);
  }
  // An .ico file contains one PNG after a header of 22 bytes.
  assert.equal((await sharp((await read("favicon.ico")).subarray(22)).metadata()).width, 32);
});
