import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes bytes of inputs. */
export type Make = (inputs: unknown, make: () => Uint8Array | Promise<Uint8Array>) => Promise<Uint8Array>;

/**
 * Returns a function that makes bytes, unless the same code has made them of the same inputs before: then they are read from a
 * folder. Without a folder, everything is made.
 */
export async function madeBefore(ui: string, folder: string | undefined): Promise<Make> {
  if (folder === undefined) return async (_, make) => make();
  await mkdir(folder, { recursive: true });
  const code = await codeHash(ui);
  return async (inputs, make) => {
    const file = join(folder, createHash("sha256").update(code).update(JSON.stringify(inputs)).digest("hex"));
    const kept = await readFile(file).catch(() => null);
    if (kept !== null) return kept;
    const made = await make();
    // In one go: a build that is ended leaves no half of a file.
    await writeFile(`${file}.part`, made);
    await rename(`${file}.part`, file);
    return made;
  };
}

/** Returns a hash of what makes things: the build's own code, and the versions of packages. */
async function codeHash(ui: string) {
  const hash = createHash("sha256").update(await readFile(join(ui, "package-lock.json")));
  for (const name of (await readdir(join(ui, "build"))).sort())
    if (/(?<!\.test)\.\w?[jt]s$/.test(name)) hash.update(await readFile(join(ui, "build", name)));
  return hash.digest();
}
