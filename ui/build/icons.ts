import type { FindColour } from "./palette.ts";
import type { Make } from "./made-before.ts";
import type { Rasteriser } from "./rasterise.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { favicon, logoSvg } from "./icon-sources.ts";

/** Draws every icon from the logo. */
export async function writeIcons({ png }: Rasteriser, colour: FindColour, files: string, make: Make) {
  const square: (padding: number, size: number) => Promise<Uint8Array> = (padding, size) => {
    const svg = logoSvg(colour, padding);
    return make({ svg, size }, () => png(svg, size));
  };
  await writeFile(join(files, "favicon.svg"), favicon(colour));
  await writeFile(join(files, "favicon.ico"), ico(await square(0, 32), 32));
  await writeFile(join(files, "apple-touch-icon.png"), await square(4, 180));
  await writeFile(join(files, "icon-192.png"), await square(2, 192));
  await writeFile(join(files, "icon-512.png"), await square(2, 512));
  await writeFile(join(files, "icon-maskable-512.png"), await square(9, 512)); // keeps the logo within the safe zone of 80 %
}

/** Returns an .ico file that holds one PNG: a header of 6 bytes and one entry of 16. */
function ico(image: Uint8Array, size: number) {
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
