/** @typedef {readonly [number, number, number]} Colour red, green and blue */

/**
 * How sensitive the eye is to differences in red, green and blue.
 *
 * @type {Colour}
 */
const WEIGHTS = [2, 4, 3];

/** How far from a pixel the areas may be that it is a mixture of. The thinnest lines have no pixel of their own colour alone. */
const REACH = 2;

/**
 * Maps every pixel to a colour of a palette. One on an antialiased edge is a mixture of the areas beside it, and becomes one of their
 * colours or a grey between light and dark, whichever is nearest: no other colour shines at edges, and the file is less than
 * half of what it is with all mixtures.
 *
 * @param {Uint8Array} pixels red, green, blue and alpha
 * @param {number} width
 * @param {readonly string[]} colours hexadecimal
 * @param {readonly string[]} greys hexadecimal
 */
export function toPalette(pixels, width, colours, greys) {
  const palette = [...new Set([...colours, ...greys])].map(parse);
  const between = greys.map((grey) => palette.indexOf(parse(grey)));
  const plain = plainAreas(pixels, palette);
  const mapped = new Uint8Array(plain.length * 3);
  for (let pixel = 0; pixel < plain.length; pixel++) {
    let index = plain[pixel] ?? -1;
    if (index < 0) index = nearest(palette, [...around(plain, pixel, width), ...between], colourAt(pixels, pixel));
    mapped.set(split(palette[index] ?? 0), pixel * 3);
  }
  return mapped;
}

/**
 * Returns for every pixel the index of its colour in the palette; -1 for a mixture.
 *
 * @param {Uint8Array} pixels
 * @param {number[]} palette
 */
function plainAreas(pixels, palette) {
  const indices = new Map(palette.map((colour, index) => [colour, index]));
  const areas = new Int8Array(pixels.length / 4);
  for (let pixel = 0; pixel < areas.length; pixel++) areas[pixel] = indices.get(colourAt(pixels, pixel)) ?? -1;
  return areas;
}

/**
 * Returns the indices of the plain colours around a pixel.
 *
 * @param {Int8Array} areas
 * @param {number} pixel
 * @param {number} width
 */
function around(areas, pixel, width) {
  /** @type {Set<number>} */
  const found = new Set();
  for (let row = pixel - REACH * width; row <= pixel + REACH * width; row += width) {
    for (let beside = row - REACH; beside <= row + REACH; beside++) {
      const index = areas[beside] ?? -1;
      if (index >= 0) found.add(index);
    }
  }
  return found;
}

/**
 * @param {number[]} palette
 * @param {number[]} candidates indices
 * @param {number} colour
 */
function nearest(palette, candidates, colour) {
  const wanted = split(colour);
  /** @type {(index: number) => number} */
  const away = (index) => distance(split(palette[index] ?? 0), wanted);
  return candidates.reduce((best, index) => (away(index) < away(best) ? index : best));
}

/**
 * @param {Uint8Array} pixels
 * @param {number} pixel
 */
function colourAt(pixels, pixel) {
  const from = pixel * 4;
  return ((pixels[from] ?? 0) << 16) | ((pixels[from + 1] ?? 0) << 8) | (pixels[from + 2] ?? 0);
}

/** @param {string} hex */
function parse(hex) {
  return Number.parseInt(hex.slice(1), 16);
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
 * @param {Colour} a
 * @param {Colour} b
 */
function distance(a, b) {
  return WEIGHTS[0] * (a[0] - b[0]) ** 2 + WEIGHTS[1] * (a[1] - b[1]) ** 2 + WEIGHTS[2] * (a[2] - b[2]) ** 2;
}
