import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * Writes a file with the hash of its content in its name, so that it can be cached forever. Returns its address.
 *
 * @param assets the folder of such files
 * @param file a file to copy, or only a name if `content` is given
 */
export async function writeHashed(assets: string, file: string, content?: string | Uint8Array): Promise<string> {
  const bytes = content ?? (await readFile(file));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const name = basename(file).replace(/(?=\.\w+$)/, `.${hash}`);
  await writeFile(join(assets, name), bytes);
  return `/assets/${name}`;
}
