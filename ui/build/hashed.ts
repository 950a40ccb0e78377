import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * Writes a file that is cached forever: its name has the hash of its content. Returns its address.
 *
 * @param assets the folder of such files
 * @param file a file to be copied, or only a name where there is other content
 */
export async function writeHashed(assets: string, file: string, content?: string | Uint8Array): Promise<string> {
  const bytes = content ?? (await readFile(file));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const name = basename(file).replace(/(?=\.\w+$)/, `.${hash}`);
  await writeFile(join(assets, name), bytes);
  return `/assets/${name}`;
}
