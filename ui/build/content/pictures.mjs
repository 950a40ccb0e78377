/** @import { Drawing } from "../drawings/read.mjs" */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import sharp from "sharp";
import { drawingReader } from "../drawings/read.mjs";
import { drawingFile, drawingStyle } from "../drawings/style.mjs";
import { fail, messageOf } from "../fail.mjs";

/** @typedef {{ src: string, width: number, height: number, drawing?: Drawing }} Picture */
/** @typedef {(file: string, name: string) => Promise<Picture>} PictureWriter */

/**
 * Returns a function that writes a picture to `assets` under a hashed name and returns its address and size, and the
 * drawing if it is one. Drawings are read like those of `src/drawings`; their files contain the rules that colour them.
 *
 * @param {string} ui
 * @param {string} assets
 * @returns {Promise<PictureWriter>}
 */
export async function pictureWriter(ui, assets) {
  const [readDrawing, css] = await Promise.all([drawingReader(join(ui, "src/drawings")), drawingStyle(ui)]);

  return async (file, name) => {
    if (extname(file) !== ".svg") return write(file, name, await photo(file));
    const drawing = await readDrawing(file);
    const { width, height } = drawing;
    return { ...(await write(file, name, { bytes: drawingFile(drawing, css), width, height })), drawing };
  };

  /**
   * @param {string} file
   * @param {string} name
   * @param {{ bytes: string | Buffer, width: number, height: number }} picture
   */
  async function write(file, name, { bytes, width, height }) {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
    const hashed = `${name}.${hash}${extname(file)}`;
    await writeFile(join(assets, hashed), bytes);
    return { src: `/assets/${hashed}`, width, height };
  }
}

/** @param {string} file */
async function photo(file) {
  const bytes = await readFile(file).catch(() => fail(file, 1, "the image is missing"));
  const { width, height } = await sharp(bytes)
    .metadata()
    .catch((error) => fail(file, 1, `the image cannot be read: ${messageOf(error)}`));
  return { bytes, width, height };
}
