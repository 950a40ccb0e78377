import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { lightOnly } from "../../../build/drawings/style.ts";
import { serviceArea, serviceMap } from "./map.ts";

const MAPS = resolve(import.meta.dirname, "../../../../content/maps");
const STYLES = resolve(import.meta.dirname, "../../styles");

/** Returns the most frequent colour around a point of a map, where lines of a pattern may be. */
async function toneAt(map: string, x: number, y: number): Promise<string> {
  const sheets = await Promise.all(["tokens.css", "drawings.css"].map((name) => readFile(join(STYLES, name), "utf8")));
  const svg = lightOnly(await readFile(join(MAPS, map), "utf8"), sheets.join("\n"));
  const around = { left: x - 15, top: y - 15, width: 30, height: 30 };
  const pixels = await sharp(Buffer.from(svg)).extract(around).ensureAlpha().raw().toBuffer();
  const counts = new Map<string, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.subarray(at, at + 4).toString("hex");
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const [[most = ""] = []] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most;
}

test("every district on the map has the tone of its part of the service area in the legend", async () => {
  for (const { lines, x, y } of serviceMap.districts) {
    const name = lines.join("").replace("Eims-büttel", "Eimsbüttel");
    const part = serviceArea.areas.findIndex((area) => `${area.name}: ${area.covers}`.includes(name));
    assert.equal(await toneAt("city.svg", x, y), await toneAt(`part-${part + 1}.svg`, 20, 20), name);
  }
});
