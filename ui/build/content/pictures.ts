import { join } from "node:path";
import { type Drawing, drawingReader } from "../drawings/read.ts";
import { drawingFile, drawingStyle } from "../drawings/style.ts";
import { writeHashed } from "../hashed.ts";

export type Picture = { src: string; width: number; height: number; drawing?: Drawing };
export type PictureWriter = (file: string, name: string) => Promise<Picture>;

/**
 * Returns a function that writes a drawing to `assets` as a picture that includes its colour rules. It returns the
 * picture's address and size, and the drawing, which is read like those of `src/drawings`.
 */
export async function pictureWriter(ui: string, assets: string): Promise<PictureWriter> {
  const [readDrawing, css] = await Promise.all([drawingReader(join(ui, "src/drawings")), drawingStyle(ui)]);
  return async (file, name) => {
    const drawing = await readDrawing(file);
    const { width, height } = drawing;
    return { src: await writeHashed(assets, `${name}.svg`, drawingFile(drawing, css)), width, height, drawing };
  };
}
