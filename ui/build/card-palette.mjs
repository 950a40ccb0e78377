/** How much of a difference the eye sees in red, green and blue. */
const WEIGHTS = [2, 4, 3];

/**
 * Gives every pixel the nearest of a few colours. A soft edge then passes through other colours of the palette instead
 * of dozens of its own, which halves the file; at the size of a card nobody sees it.
 */
export function toPalette(pixels, colours) {
  const palette = colours.map(channels);
  const nearest = new Map();
  const mapped = new Uint8Array((pixels.length / 4) * 3);
  let last = -1;
  let colour = palette[0];
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const key = (pixels[from] << 16) | (pixels[from + 1] << 8) | pixels[from + 2];
    if (key !== last) {
      last = key;
      colour = nearest.get(key) ?? closest(palette, [pixels[from], pixels[from + 1], pixels[from + 2]]);
      nearest.set(key, colour);
    }
    mapped[to] = colour[0];
    mapped[to + 1] = colour[1];
    mapped[to + 2] = colour[2];
  }
  return mapped;
}

function channels(hex) {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function closest(palette, colour) {
  const distance = (other) =>
    other.reduce((sum, value, index) => sum + WEIGHTS[index] * (value - colour[index]) ** 2, 0);
  return palette.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}
