/** Red, green and blue. */
export type Colour = readonly [number, number, number];

/** How sensitive the eye is to differences in red, green and blue. */
const WEIGHTS: Colour = [2, 4, 3];

/** How far from a pixel the areas may be that it is a mixture of. The thinnest lines have no pixel of their own colour alone. */
const REACH = 2;

/**
 * Maps every pixel to a colour of a palette. One on an antialiased edge is a mixture of the areas beside it, and becomes one of their
 * colours or a grey between light and dark, whichever is nearest: no other colour shines at edges, and the file is less than
 * half of what it is with all mixtures.
 *
 * @param pixels red, green, blue and alpha
 * @param colours hexadecimal
 * @param greys hexadecimal
 */
export function toPalette(pixels: Uint8Array, width: number, colours: readonly string[], greys: readonly string[]) {
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

/** Returns for every pixel the index of its colour in the palette; -1 for a mixture. */
function plainAreas(pixels: Uint8Array, palette: number[]) {
  const indices = new Map(palette.map((colour, index) => [colour, index]));
  const areas = new Int8Array(pixels.length / 4);
  for (let pixel = 0; pixel < areas.length; pixel++) areas[pixel] = indices.get(colourAt(pixels, pixel)) ?? -1;
  return areas;
}

/** Returns the indices of the plain colours around a pixel. */
function around(areas: Int8Array, pixel: number, width: number) {
  const found: Set<number> = new Set();
  for (let row = pixel - REACH * width; row <= pixel + REACH * width; row += width) {
    for (let beside = row - REACH; beside <= row + REACH; beside++) {
      const index = areas[beside] ?? -1;
      if (index >= 0) found.add(index);
    }
  }
  return found;
}

/** @param candidates indices */
function nearest(palette: number[], candidates: number[], colour: number) {
  const wanted = split(colour);
  const away: (index: number) => number = (index) => distance(split(palette[index] ?? 0), wanted);
  return candidates.reduce((best, index) => (away(index) < away(best) ? index : best));
}

function colourAt(pixels: Uint8Array, pixel: number) {
  const from = pixel * 4;
  return ((pixels[from] ?? 0) << 16) | ((pixels[from + 1] ?? 0) << 8) | (pixels[from + 2] ?? 0);
}

function parse(hex: string) {
  return Number.parseInt(hex.slice(1), 16);
}

/** Splits 0xrrggbb. */
function split(value: number): Colour {
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function distance(a: Colour, b: Colour) {
  return WEIGHTS[0] * (a[0] - b[0]) ** 2 + WEIGHTS[1] * (a[1] - b[1]) ** 2 + WEIGHTS[2] * (a[2] - b[2]) ** 2;
}
