import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wawoff from "wawoff2";

const require = createRequire(import.meta.url);

export interface Rasteriser {
  /** Red, green, blue and alpha of every pixel. */
  pixels: (svg: string, width: number) => Uint8Array;
  textWidth: TextWidth;
}

/** The width of a piece of text of size 1. */
export type TextWidth = (text: string, weight: number) => number;

/** The font of headings, in the two weights that pictures use. */
const FONTS = [
  "@fontsource/besley/files/besley-latin-600-normal.woff2",
  "@fontsource/besley/files/besley-latin-400-normal.woff2",
];

let compiled: Promise<void> | undefined;

/** Starts the renderer that turns SVG into pixels. WebAssembly draws the same bytes on every machine. */
export async function startRasteriser(): Promise<Rasteriser> {
  // Once per process, because the development loop starts the renderer repeatedly.
  compiled ??= readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")).then(initWasm);
  await compiled;
  // The copy matters, because the next font overwrites the decompressor's own memory.
  const unpack = async (name: string) =>
    Uint8Array.from(await wawoff.decompress(await readFile(require.resolve(name))));
  const fontBuffers = await Promise.all(FONTS.map(unpack));
  const font = { fontBuffers, defaultFontFamily: "Besley", loadSystemFonts: false };
  return {
    pixels: (svg, width) => new Resvg(svg, { fitTo: { mode: "width", value: width }, font }).render().pixels,
    textWidth: (text, weight) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9999 200"><text y="100" font-family="Besley" font-weight="${weight}" font-size="100">${text}</text></svg>`;
      return (new Resvg(svg, { font }).getBBox()?.width ?? 0) / 100;
    },
  };
}
