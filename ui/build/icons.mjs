import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wawoff from "wawoff2";
import { favicon, signSvg, socialCard } from "./icon-sources.mjs";

const require = createRequire(import.meta.url);

/** Draws every icon and the social card from one sign. WebAssembly draws the same bytes on every machine. */
export async function writeIcons(ui, files) {
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const home = JSON.parse(await readFile(join(ui, "generated/home.json"), "utf8"));
  const fonts = [await ttf("@fontsource/besley/files/besley-latin-600-normal.woff2")];

  const square = (padding, size) => png(signSvg(padding), size);
  await writeFile(join(files, "favicon.svg"), favicon());
  await writeFile(join(files, "favicon.ico"), ico(square(0, 32), 32));
  await writeFile(join(files, "apple-touch-icon.png"), square(4, 180));
  await writeFile(join(files, "icon-192.png"), square(2, 192));
  await writeFile(join(files, "icon-512.png"), square(2, 512));
  await writeFile(join(files, "icon-maskable-512.png"), square(9, 512)); // the sign within the safe zone of 80 %
  await writeFile(join(files, "og-image.png"), png(socialCard(home.hero.claim), 1200, fonts));
}

async function ttf(name) {
  return wawoff.decompress(await readFile(require.resolve(name)));
}

function png(svg, width, fontBuffers = []) {
  const font = { fontBuffers, defaultFontFamily: "Besley", loadSystemFonts: false };
  return new Resvg(svg, { fitTo: { mode: "width", value: width }, font }).render().asPng();
}

/** An .ico file that holds one PNG: a header of 6 bytes and one entry of 16. */
function ico(image, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // type: icon
  head.writeUInt16LE(1, 4); // one image
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10); // colour planes
  head.writeUInt16LE(32, 12); // bits a pixel
  head.writeUInt32LE(image.length, 14);
  head.writeUInt32LE(head.length, 18); // where the image begins
  return Buffer.concat([head, image]);
}
