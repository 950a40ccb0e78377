/** @import { Card } from "../src/meta/card-list.ts" */
/** @import { Text } from "./card-text.mjs" */
/** @import { Drawing } from "./drawings/read.mjs" */
/** @import { FindColour } from "./palette.mjs" */
/** @import { Make } from "./made-before.mjs" */
/** @import { Rasteriser, TextWidth } from "./rasterise.mjs" */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { toPalette } from "./card-palette.mjs";
import { setTitle } from "./card-text.mjs";
import { lightOnly } from "./drawings/style.mjs";
import { BuildError } from "./fail.mjs";
import { logo } from "./icon-sources.mjs";
import { coloursOf, find } from "./palette.mjs";

/** The size that social networks recommend. Pages state it, too (`src/meta/card.ts`). */
const SIZE = { width: 1200, height: 630 };

/** With at most 16 colours two pixels fit into a byte. */
const PNG = { palette: true, colours: 16, dither: 0, effort: 1, compressionLevel: 9 };

/** What edges may be smoothed with. */
const GREYS = ["--draw-slate", "--draw-bird"];

/** The drawing is in the upper right corner, cropped to 4:3 and not scaled, so that its lines stay sharp. */
const PICTURE = { x: 600, y: 0, width: 600, height: 450 };

/** The box of the title, beside the drawing. */
const TITLE = { x: 64, y: 36, width: 490, height: 378 };

/** The logo and the tagline, below the drawing. */
const LOGO_SIZE = 84;
const LINE = { x: 64 + LOGO_SIZE + 24, y: 552, size: 28, weight: /** @type {const} */ (400) };

/**
 * @typedef {object} CardInputs
 * @property {Card[]} cards
 * @property {{ claim: string, promises: string[] }} hero
 * @property {Record<string, Drawing>} drawings
 * @property {string} css the rules that colour drawings
 * @property {FindColour} colour
 */

/**
 * Draws the social cards: title and drawing on harbour blue, always in the light scheme.
 *
 * @param {CardInputs} inputs
 * @param {Rasteriser} rasteriser
 * @param {string} files
 * @param {Make} make
 */
export async function writeCards({ cards, hero, drawings, css, colour }, { pixels, textWidth }, files, make) {
  const style = lightOnly(css);
  const drawn = coloursOf(css).light;
  const colours = [...drawn.values(), ...["--harbour", "--on-harbour", "--signal"].map(colour)];
  const greys = GREYS.map((name) => find(drawn, name));
  const measured = memoize(textWidth);
  /** @type {(card: Card) => Promise<void>} */
  const write = async ({ image, title, drawing }) => {
    const found = drawings[drawing];
    if (!found) throw new BuildError(`the social card ${image} names no drawing: ${drawing}`);
    const line = (title === hero.claim && hero.promises[0]) || hero.claim.replace(/:.*/, "");
    const draw = () => {
      const svg = cardSvg({ lines: setTitle(title, TITLE, measured), line, drawing: found, style, colour });
      const raw = { width: SIZE.width, height: SIZE.height, channels: /** @type {const} */ (3) };
      return sharp(toPalette(pixels(svg, SIZE.width), SIZE.width, colours, greys), { raw })
        .png(PNG)
        .toBuffer();
    };
    const file = join(files, image);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await make({ title, line, drawing: found, style, colours, greys }, draw));
  };
  await Promise.all(cards.map(write));
}

/**
 * @param {object} card
 * @param {(Text & { y: number })[]} card.lines
 * @param {string} card.line
 * @param {Drawing} card.drawing
 * @param {string} card.style
 * @param {FindColour} card.colour
 */
function cardSvg({ lines, line, drawing, style, colour }) {
  const { width, height } = SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<style>${style}</style>
<rect width="${width}" height="${height}" fill="${colour("--harbour")}"/>
<g font-family="Besley" fill="${colour("--on-harbour")}">
${lines.map((text) => textElement({ ...text, x: TITLE.x })).join("\n")}
${textElement({ ...LINE, text: line })}
</g>
<svg x="${TITLE.x - 8}" y="${LINE.y - LOGO_SIZE * 0.72}" width="${LOGO_SIZE}" height="${LOGO_SIZE}" viewBox="0 0 40 40">${logo(colour)}</svg>
<svg class="drawing" x="${PICTURE.x}" y="${PICTURE.y}" width="${PICTURE.width}" height="${PICTURE.height}" viewBox="0 0 ${drawing.width} ${drawing.height}" preserveAspectRatio="xMidYMid slice">${drawing.body}</svg>
</svg>`;
}

/** @param {Text & { x: number, y: number }} text */
function textElement({ text, x, y, size, weight }) {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}">${escape(text)}</text>`;
}

/**
 * Returns a function that measures each piece of text once.
 *
 * @param {TextWidth} textWidth
 * @returns {TextWidth}
 */
function memoize(textWidth) {
  /** @type {Map<string, number>} */
  const widths = new Map();
  return (text, weight) => {
    const key = `${weight} ${text}`;
    const width = widths.get(key) ?? textWidth(escape(text), weight);
    widths.set(key, width);
    return width;
  };
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
