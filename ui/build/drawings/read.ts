import type { Config } from "svgo";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { optimize } from "svgo";
import { sortedNames } from "../content/folder.ts";
import { fail, messageOf } from "../fail.ts";
import { checkDrawing, CLASSES, type Size, sizeOf } from "./check.ts";

/** `body` is the content of the svg element. */
export type Drawing = Size & { body: string };

/** Drawings are shown at about their own size, so two decimals exceed the precision of any screen. */
const PRECISION = 2;

/** The folder of motifs that several drawings share by `<use href="#name" …>`. */
const MOTIFS = "motifs";
const USE = /<use href="#([\w-]+)"([^>]*?)\/>/g;

const CLASS = /class="([^"]*)"/g;

/** SVGO's defaults without the steps that rely on the style sheet, which is not part of a drawing. */
const SMALLER: NonNullable<Config["plugins"]>[number] = {
  name: "preset-default",
  params: { overrides: { mergePaths: false, removeUnknownsAndDefaults: false, collapseGroups: false } },
};

/** Reads the drawings below a folder with their motifs, by name: the path without `.svg`. */
export async function readDrawings(folder: string): Promise<Record<string, Drawing>> {
  const read = await drawingReader(folder);
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(".svg") && !name.startsWith(MOTIFS))
    .sort();
  const entries = names.map(async (name) => [name.slice(0, -".svg".length), await read(join(folder, name))]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns a function that reads one drawing file, with the motifs of `folder`. */
export async function drawingReader(folder: string): Promise<(file: string) => Promise<Drawing>> {
  const motifs = await readMotifs(join(folder, MOTIFS));
  const withMotifs = (source: string) =>
    source.replace(USE, (use, name, attributes) => {
      const motif = motifs.get(name) ?? unknownMotif(use, [...motifs.keys()]);
      return `<g${attributes}>${motif}</g>`;
    });
  return async (file) => {
    const source = await readFile(file, "utf8").catch(() => fail(file, 1, "the drawing is missing"));
    let size = { width: 0, height: 0 };
    const plugins = [checkDrawing((found) => void (size = found)), SMALLER];
    try {
      const { data } = optimize(withMotifs(source), { multipass: true, floatPrecision: PRECISION, plugins });
      return { ...size, body: withAttributes(data.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "")) };
    } catch (error) {
      const { line, reason } = error as { line?: number; reason?: string };
      return fail(file, line ?? 1, reason ?? messageOf(error));
    }
  };
}

/** Replaces classes by their attributes. */
function withAttributes(svg: string) {
  return svg.replace(CLASS, (_, names: string) =>
    names
      .split(" ")
      .map((name) => CLASSES.get(name))
      .join(" "),
  );
}

/** Reads the maps, which are used unchanged: `maps/city` and others. */
export async function readMaps(folder: string): Promise<Record<string, Drawing>> {
  const entries = (await sortedNames(folder)).map(async (name) => {
    const source = await readFile(join(folder, name), "utf8");
    const [, viewBox, body = ""] = /viewBox="(.*?)">\n(.*)\n<\/svg>/s.exec(source) ?? [];
    return [`maps/${basename(name, ".svg")}`, { ...sizeOf(viewBox), body }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Reads the elements of each motif into one line, so that line numbers of drawings stay the same. */
async function readMotifs(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".svg"));
  const read = names.map(async (name): Promise<[string, string]> => {
    const [, elements = ""] = /<svg[^>]*>(.*)<\/svg>/s.exec(await readFile(join(folder, name), "utf8")) ?? [];
    return [basename(name, ".svg"), elements.replaceAll(/\s*\n\s*/g, "")];
  });
  return new Map(await Promise.all(read));
}

function unknownMotif(use: string, known: string[]): never {
  throw new Error(`${use} names no motif; known are ${known.join(", ")}`);
}
