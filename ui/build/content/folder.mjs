import { readdir } from "node:fs/promises";

/**
 * Returns the names in a folder, in the same order on every machine.
 *
 * @param {string} folder
 */
export async function sortedNames(folder) {
  return (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
}
