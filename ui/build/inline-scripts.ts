import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** Reads the inline scripts, which run before anything is shown, without comments and indentation. */
export async function readInlineScripts(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js")).sort();
  const entries = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(folder, name), "utf8")).split("\n").map((line) => line.trim());
      const code = lines.filter((line) => line !== "" && !line.startsWith("//"));
      return [basename(name, ".js"), code.join("\n")];
    }),
  );
  return Object.fromEntries(entries);
}
