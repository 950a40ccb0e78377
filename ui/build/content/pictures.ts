import type { Drawing } from "../drawings/read.ts";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import sharp from "sharp";
import { drawingReader } from "../drawings/read.ts";
import { drawingFile, drawingStyle } from "../drawings/style.ts";
import { fail, messageOf } from "../fail.ts";

export type Picture = { src: string; width: number; height: number; drawing?: Drawing };
export type PictureWriter = (file: string, name: string) => Promise<Picture>;

/**
 * Returns a function that writes a picture to `assets` under a hashed name and returns its address and size, and the
 * drawing if it is one. Drawings are read like those of `src/drawings`; their files contain the rules that colour them.
 */
export async function pictureWriter(ui: string, assets: string): Promise<PictureWriter> {
  const [readDrawing, css] = await Promise.all([drawingReader(join(ui, "src/drawings")), drawingStyle(ui)]);

  return async (file, name) => {
    if (extname(file) !== ".svg") return write(file, name, await photo(file));
    const drawing = await readDrawing(file);
    const { width, height } = drawing;
    return { ...(await write(file, name, { bytes: drawingFile(drawing, css), width, height })), drawing };
  };

  async function write(
    file: string,
    name: string,
    { bytes, width, height }: { bytes: string | Buffer; width: number; height: number },
  ) {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
    const hashed = `${name}.${hash}${extname(file)}`;
    await writeFile(join(assets, hashed), bytes);
    return { src: `/assets/${hashed}`, width, height };
  }
}

async function photo(file: string) {
  const bytes = await readFile(file).catch(() => fail(file, 1, "the image is missing"));
  const { width, height } = await sharp(bytes)
    .metadata()
    .catch((error) => fail(file, 1, `the image cannot be read: ${messageOf(error)}`));
  return { bytes, width, height };
}
