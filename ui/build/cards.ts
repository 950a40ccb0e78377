import type { Card } from "../src/pages/page-list.ts";
import type { Text } from "./card-text.ts";
import type { Drawing } from "./drawings/read.ts";
import type { FindColour } from "./palette.ts";
import type { Rasteriser, TextWidth } from "./rasterise.ts";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { setTitle } from "./card-text.ts";
import { lightOnly } from "./drawings/style.ts";
import { BuildError } from "./fail.ts";

/** The size that social networks recommend. Pages also state it (`src/pages/card.ts`). */
const SIZE = { width: 1200, height: 630 };

/** With at most 16 colours, two pixels fit into a byte. */
const PNG = { palette: true, colours: 16, dither: 0, compressionLevel: 9 };

/** The drawing is in the upper right corner, cropped to 4:3 and not scaled, so that its lines stay sharp. */
const PICTURE = { x: 600, y: 0, width: 600, height: 450 };

/** The box of the title, beside the drawing. */
const TITLE = { x: 64, y: 36, width: 490, height: 378 };

/** The logo and the tagline, below the drawing. */
const LOGO_SIZE = 84;
const LINE = { x: 64 + LOGO_SIZE + 24, y: 552, size: 28, weight: 400 as const };

export interface CardInputs {
  cards: Card[];
  hero: { claim: string; plain_claim: string; promises: string[] };
  drawings: Record<string, Drawing>;
  /** The palette of drawings and their stroke. */
  css: string;
  /** The favicon, on the harbour blue of the cards. */
  logo: string;
  colour: FindColour;
}

/** Draws the social cards: title and drawing on harbour blue, always in the light scheme. */
export async function writeCards(
  { cards, hero, drawings, css, logo, colour }: CardInputs,
  { pixels, textWidth }: Rasteriser,
  files: string,
) {
  const [style = ""] = /\.drawing\{.*?\}/.exec(css) ?? [];
  const placed = logo.replace(
    "<svg ",
    `<svg x="${TITLE.x - 8}" y="${LINE.y - LOGO_SIZE * 0.72}" width="${LOGO_SIZE}" height="${LOGO_SIZE}" `,
  );
  const measured = memoize(textWidth);
  const raw = { ...SIZE, channels: 4 as const };
  const write: (card: Card) => Promise<void> = async ({ image, title, drawing }) => {
    const found = drawings[drawing];
    if (!found) throw new BuildError(`the social card ${image} names no drawing: ${drawing}`);
    const line =
      ((title === hero.claim || title === hero.plain_claim) && hero.promises[0]) || hero.claim.replace(/:.*/, "");
    const lines = setTitle(title, TITLE, measured);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}">
<style>${style}</style>
<rect width="${SIZE.width}" height="${SIZE.height}" fill="${colour("--harbour")}"/>
<g font-family="Besley" fill="${colour("--on-harbour")}">
${lines.map((text) => textElement({ ...text, x: TITLE.x })).join("\n")}
${textElement({ ...LINE, text: line })}
</g>
${placed}
<svg class="drawing" x="${PICTURE.x}" y="${PICTURE.y}" width="${PICTURE.width}" height="${PICTURE.height}" viewBox="0 0 ${found.width} ${found.height}" preserveAspectRatio="xMidYMid slice">${found.body}</svg>
</svg>`;
    const file = join(files, image);
    await mkdir(dirname(file), { recursive: true });
    await sharp(pixels(lightOnly(svg, css), SIZE.width), { raw })
      .removeAlpha()
      .png(PNG)
      .toFile(file);
  };
  await Promise.all(cards.map(write));
}

function textElement({ text, x, y, size, weight }: Text & { x: number; y: number }) {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}">${escape(text)}</text>`;
}

/** Returns a function that measures each piece of text once. */
function memoize(textWidth: TextWidth): TextWidth {
  const widths: Map<string, number> = new Map();
  return (text, weight) => {
    const key = `${weight} ${text}`;
    const width = widths.get(key) ?? textWidth(escape(text), weight);
    widths.set(key, width);
    return width;
  };
}

function escape(text: string) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
