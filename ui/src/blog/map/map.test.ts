import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { lightOnly } from "../../../build/drawings/style.ts";
import { serviceArea, serviceMap } from "./map.ts";

const read = (path: string) => readFile(resolve(import.meta.dirname, path), "utf8");
const colours = (await read("../../styles/tokens.css")) + (await read("../../styles/drawings.css"));

/** Returns the colour of most of what is around a point of a map, where lines of a pattern may be. */
async function toneAt(map: string, x: number, y: number): Promise<string | undefined> {
  const svg = lightOnly(await read(`../../../../content/maps/${map}.svg`), colours);
  const around = { left: x - 15, top: y - 15, width: 30, height: 30 };
  const pixels = await sharp(Buffer.from(svg)).extract(around).ensureAlpha().raw().toBuffer();
  const sorted = pixels.toString("hex").match(/.{8}/g)?.toSorted() ?? [];
  return sorted[sorted.length / 2];
}

test("every district on the map has the tone of its part of the service area in the legend", async () => {
  for (const { lines, x, y } of serviceMap.districts) {
    const name = lines.join("").replace("Eims-büttel", "Eimsbüttel");
    const part = serviceArea.areas.findIndex((area) => `${area.name}: ${area.covers}`.includes(name));
    assert.equal(await toneAt("city", x, y), await toneAt(`part-${part + 1}`, 20, 20), name);
  }
});
