import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { optimize } from "svgo";
import { fail } from "../fail.mjs";
import { checkDrawing } from "./check.mjs";
import { expandMotifs, readMotifs } from "./motifs.mjs";

/** Drawings are shown at about their own size, so two decimals are finer than any screen. */
const PRECISION = 2;

const MOTIFS = "motifs";

/** Classes get their meaning from a style sheet that is not part of the drawing: what relies on knowing it is off. */
const SMALLER = {
  name: "preset-default",
  params: { overrides: { mergePaths: false, removeUnknownsAndDefaults: false, collapseGroups: false } },
};

/**
 * Reads the drawings below a folder, motifs put in: an object from the name (its path without `.svg`) to
 * `{ width, height, body }`, where `body` is what stands inside the svg element.
 */
export async function readDrawings(folder) {
  const read = await drawingReader(folder);
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(".svg") && !name.startsWith(MOTIFS))
    .sort();
  const entries = names.map(async (name) => [name.slice(0, -".svg".length), await read(join(folder, name))]);
  return Object.fromEntries(await Promise.all(entries));
}

/** A function that reads one drawing file, with the motifs of `folder`. */
export async function drawingReader(folder) {
  const motifs = await readMotifs(join(folder, MOTIFS));
  return async (file) => {
    const source = await readFile(file, "utf8").catch(() => fail(file, 1, "the drawing is missing"));
    const size = {};
    const plugins = [checkDrawing(size), expandMotifs(motifs), SMALLER];
    try {
      const { data } = optimize(source, { multipass: true, floatPrecision: PRECISION, plugins });
      return { ...size, body: data.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "") };
    } catch (error) {
      return fail(file, error.line ?? 1, error.reason ?? error.message);
    }
  };
}
