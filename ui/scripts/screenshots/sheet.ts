import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";

/** Pixels. Wide enough to judge the layout and colours of a page. Long pages are cropped. */
const TILE = { width: 320, height: 900, gap: 16, label: 28 };
const COLUMNS = 6;
const ROWS = 2;

/** Arranges the pictures of a folder on contact sheets, `_sheet-1.png` and so on. */
export async function makeSheet(folder: string, names: readonly string[]): Promise<void> {
  const taken = names.filter((name) => existsSync(join(folder, `${name}.png`)));
  const perSheet = COLUMNS * ROWS;
  for (let start = 0; start < taken.length; start += perSheet) {
    const tiles = await Promise.all(
      taken.slice(start, start + perSheet).map((name, index) => tile(folder, name, index)),
    );
    const width = COLUMNS * (TILE.width + TILE.gap) + TILE.gap;
    const height = ROWS * (TILE.height + TILE.label + TILE.gap) + TILE.gap;
    await sharp({ create: { width, height, channels: 3, background: "#808080" } })
      .composite(tiles.flat())
      .png()
      .toFile(join(folder, `_sheet-${start / perSheet + 1}.png`));
  }
}

/** Returns a picture and its name, placed on the sheet. */
async function tile(folder: string, name: string, index: number): Promise<OverlayOptions[]> {
  const left = TILE.gap + (index % COLUMNS) * (TILE.width + TILE.gap);
  const top = TILE.gap + Math.floor(index / COLUMNS) * (TILE.height + TILE.label + TILE.gap);
  const scaled = await sharp(join(folder, `${name}.png`))
    .resize({ width: TILE.width })
    .toBuffer({ resolveWithObject: true });
  const height = Math.min(scaled.info.height, TILE.height);
  const picture = await sharp(scaled.data).extract({ left: 0, top: 0, width: TILE.width, height }).toBuffer();
  const label = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE.width}" height="${TILE.label}">
    <text x="0" y="18" font-family="sans-serif" font-size="14" fill="#fff">${name}</text></svg>`;
  return [
    { input: Buffer.from(label), left, top },
    { input: picture, left, top: top + TILE.label },
  ];
}
