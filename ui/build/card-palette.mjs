/** @typedef {readonly [number, number, number]} Colour red, green and blue */

/**
 * How sensitive the eye is to differences in red, green and blue.
 *
 * @type {Colour}
 */
const WEIGHTS = [2, 4, 3];

/**
 * Maps every pixel to the nearest colour of a palette. Antialiased edges lose their many intermediate colours, which
 * halves the file and is invisible at the size of a card.
 *
 * @param {Uint8Array} pixels red, green, blue and alpha
 * @param {readonly string[]} colours
 */
export function toPalette(pixels, colours) {
  const palette = colours.map((hex) => split(Number.parseInt(hex.slice(1), 16)));
  /** @type {Map<number, Colour>} */
  const nearest = new Map();
  const mapped = new Uint8Array((pixels.length / 4) * 3);
  let last = -1;
  /** @type {Colour} */
  let colour = [0, 0, 0];
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const key = (byteAt(pixels, from) << 16) | (byteAt(pixels, from + 1) << 8) | byteAt(pixels, from + 2);
    if (key !== last) {
      last = key;
      colour = nearest.get(key) ?? closest(palette, split(key));
      nearest.set(key, colour);
    }
    mapped[to] = colour[0];
    mapped[to + 1] = colour[1];
    mapped[to + 2] = colour[2];
  }
  return mapped;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} index
 */
function byteAt(bytes, index) {
  return bytes[index] ?? 0;
}

/**
 * Splits 0xrrggbb.
 *
 * @param {number} value
 * @returns {Colour}
 */
function split(value) {
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * @param {Colour[]} palette
 * @param {Colour} colour
 */
function closest(palette, colour) {
  return palette.reduce((best, other) => (distance(other, colour) < distance(best, colour) ? other : best));
}

/**
 * @param {Colour} a
 * @param {Colour} b
 */
function distance(a, b) {
  return WEIGHTS[0] * (a[0] - b[0]) ** 2 + WEIGHTS[1] * (a[1] - b[1]) ** 2 + WEIGHTS[2] * (a[2] - b[2]) ** 2;
}
