import { readFile } from "node:fs/promises";
import { parse } from "smol-toml";
import { fail } from "../fail.mjs";

/** Reads a TOML file: `{ source, data }`. */
export async function readToml(file) {
  const source = await readFile(file, "utf8").catch(() => fail(file, 1, "the file is missing"));
  try {
    return { source, data: parse(source) };
  } catch (error) {
    return fail(file, error.line ?? 1, error.message.split("\n")[0]);
  }
}
