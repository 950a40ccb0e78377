/** The longer side of a stored photo; `src/photo/mod.rs` has the same. */
const LONGEST = 1600;

const QUALITY = 0.85;

/** Returns the size of a picture scaled down to `LONGEST`, never up. */
export function fitting(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Returns whether a canvas returns what was drawn on it. Browsers that guard against fingerprinting return noise or plain
 * white, without an error.
 */
export function canvasIsTrue(): boolean {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 8, height: 8 });
  const context = canvas.getContext("2d");
  if (!context) return false;
  const colours = Array.from({ length: 64 }, (_, index) => [(index * 4) & 255, (index * 37) & 255, (index * 91) & 255]);
  for (const [index, colour] of colours.entries()) {
    context.fillStyle = `rgb(${colour.join()})`;
    context.fillRect(index % 8, index >> 3, 1, 1);
  }
  const { data } = context.getImageData(0, 0, 8, 8);
  return colours.every((colour, index) =>
    [...colour, 255].every((value, channel) => Math.abs(value - (data[index * 4 + channel] ?? NaN)) <= 2),
  );
}

/**
 * Scales a photo down to the size that is stored, so that sending it takes only seconds: upright, on white, without
 * metadata. If that fails, the file is sent unchanged.
 */
export async function shrink(file: File, picture: HTMLImageElement): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, fitting(picture.naturalWidth, picture.naturalHeight));
  const context = canvas.getContext("2d");
  if (!context || !canvasIsTrue()) return file;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve) => canvas.toBlob((smaller) => resolve(smaller ?? file), "image/jpeg", QUALITY));
}
