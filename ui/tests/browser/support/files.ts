import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns those words that occur in any file below a directory, including binary files. */
export async function wordsInFiles(directory: string, words: readonly string[]): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
  return words.filter((word) => contents.some((content) => content.includes(word)));
}
