import { z } from "zod";
import { text } from "./fields.ts";
import { readToml } from "./toml.ts";

const CODE = z.string().regex(/^2[0-2]\d{3}$/, "must be a postal code from 20000 to 22999");

/** The report reads the rest of the file. */
const FILE = z.looseObject({ names: z.record(CODE, text) });

/** Reads where each postal code is. */
export async function readPlaceNames(file: string) {
  return (await readToml(file)).read(FILE).names;
}
