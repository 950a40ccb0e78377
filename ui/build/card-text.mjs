/** @import { TextWidth } from "./rasterise.mjs" */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {400 | 600} Weight */
/** @typedef {{ text: string, size: number, weight: Weight }} Text */
/** @typedef {Text & { width: number, height: number }} Line */
/** @typedef {Line & { y: number }} PlacedLine `y` is its base line */

/** Sizes of a title, the largest that fits is taken. Below the last one it would not be read in a list of messages. */
const SIZES = [60, 56, 52, 48, 45, 42, 39, 36, 33];

/** The size of what follows a title's colon or question mark. */
const SECOND = 34;

/** A line's height in parts of its size, and the space between the two parts of a title. */
const LEADING = { 600: 1.16, 400: 1.3 };
const SPACE = 14;

/**
 * Sets a title into the middle of a box: its part up to a colon or question mark large, the rest below in a smaller size.
 *
 * @param {string} title
 * @param {Box} box
 * @param {TextWidth} textWidth
 * @returns {PlacedLine[]}
 */
export function setTitle(title, box, textWidth) {
  const [, first = title, second = ""] = /^(.+?(?:\?|(?=:))):?\s+(.+)$/.exec(title) ?? [];
  for (const size of SIZES) {
    const lines = [
      ...setLines(first, { size, weight: 600, space: 0 }, box, textWidth),
      ...setLines(second, { size: Math.min(size, SECOND), weight: 400, space: SPACE }, box, textWidth),
    ];
    const height = lines.reduce((sum, line) => sum + line.height, 0);
    const isNarrow = lines.every((line) => line.width <= box.width);
    if (isNarrow && height <= box.height) return placed(lines, box.y + (box.height - height) / 2);
  }
  throw new Error(`the title does not fit on its card: ${title}`);
}

/**
 * @param {string} text
 * @param {{ size: number, weight: Weight, space: number }} style
 * @param {Box} box
 * @param {TextWidth} textWidth
 * @returns {Line[]}
 */
function setLines(text, { size, weight, space }, box, textWidth) {
  if (!text) return [];
  /** @type {(piece: string) => number} */
  const width = (piece) => textWidth(piece, weight) * size;
  const lines = wrap(text, box.width, width);
  return lines.map((line, index) => ({
    text: line,
    size,
    weight,
    width: width(line),
    height: size * LEADING[weight] + (index === 0 ? space : 0),
  }));
}

/**
 * @param {Line[]} lines
 * @param {number} top
 * @returns {PlacedLine[]}
 */
function placed(lines, top) {
  let y = top;
  return lines.map((line) => {
    y += line.height;
    return { ...line, y };
  });
}

/**
 * Fills lines with words. A word may end a line at its hyphen.
 *
 * @param {string} text
 * @param {number} limit
 * @param {(text: string) => number} width
 */
function wrap(text, limit, width) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text.match(/[^\s-]+-?\s*/g) ?? []) {
    if (line && width((line + word).trimEnd()) > limit) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
