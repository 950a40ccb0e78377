import { readdir } from "node:fs/promises";

/** Returns the names in a folder, in the same order on every machine. */
export async function sortedNames(folder: string) {
  return (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
}
