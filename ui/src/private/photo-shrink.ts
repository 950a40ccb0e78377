/** The longer side that is kept; `src/photo/mod.rs` has the same. */
const LONGEST = 1600;

const QUALITY = 0.85;

/** Returns the size of a picture that is made smaller, but never larger. */
export function fitting(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Makes a photo as large as it is kept, so that sending it takes seconds; upright, on white, without what the file says
 * beside its pixels. One that the browser cannot read is sent as it is: the server says what is wrong with it.
 */
export async function shrink(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const canvas = document.createElement("canvas");
    Object.assign(canvas, fitting(picture.width, picture.height));
    const context = canvas.getContext("2d");
    if (!context) return file;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((resolve) => canvas.toBlob((smaller) => resolve(smaller ?? file), "image/jpeg", QUALITY));
  } catch {
    return file;
  }
}
