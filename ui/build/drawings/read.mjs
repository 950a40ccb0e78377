/** @import { Config } from "svgo" */
/** @import { Size } from "./check.mjs" */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { optimize } from "svgo";
import { fail, messageOf } from "../fail.mjs";
import { checkDrawing } from "./check.mjs";
import { expandMotifs, readMotifs } from "./motifs.mjs";

/** @typedef {Size & { body: string }} Drawing `body` is what stands inside the svg element */

/** Drawings are shown at about their own size: two decimals are more precise than any screen. */
const PRECISION = 2;

const MOTIFS = "motifs";

/**
 * SVGO's defaults without the steps that rely on seeing the style sheet, which is not part of a drawing.
 *
 * @type {NonNullable<Config["plugins"]>[number]}
 */
const SMALLER = {
  name: "preset-default",
  params: { overrides: { mergePaths: false, removeUnknownsAndDefaults: false, collapseGroups: false } },
};

/**
 * Reads the drawings below a folder with their motifs, by their names: the path without `.svg`.
 *
 * @param {string} folder
 * @returns {Promise<Record<string, Drawing>>}
 */
export async function readDrawings(folder) {
  const read = await drawingReader(folder);
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(".svg") && !name.startsWith(MOTIFS))
    .sort();
  const entries = names.map(async (name) => [name.slice(0, -".svg".length), await read(join(folder, name))]);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Returns a function that reads one drawing file, with the motifs of `folder`.
 *
 * @param {string} folder
 * @returns {Promise<(file: string) => Promise<Drawing>>}
 */
export async function drawingReader(folder) {
  const motifs = await readMotifs(join(folder, MOTIFS));
  return async (file) => {
    const source = await readFile(file, "utf8").catch(() => fail(file, 1, "the drawing is missing"));
    let size = { width: 0, height: 0 };
    const plugins = [checkDrawing((found) => void (size = found)), expandMotifs(motifs), SMALLER];
    try {
      const { data } = optimize(source, { multipass: true, floatPrecision: PRECISION, plugins });
      return { ...size, body: data.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "") };
    } catch (error) {
      const { line, reason } = /** @type {{ line?: number, reason?: string }} */ (error);
      return fail(file, line ?? 1, reason ?? messageOf(error));
    }
  };
}
