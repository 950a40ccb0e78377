import { z } from "zod";
import { point, source } from "./map.ts";
import { table, text } from "./fields.ts";
import { readToml } from "./toml.ts";

const CODE = z.string().regex(/^2[0-2]\d{3}$/, "must be a postal code from 20000 to 22999");

const FILE = table({ source, centers: z.record(CODE, point), names: z.record(CODE, text) });

/** Reads where each postal code is, and the name of its place. */
export async function readPostalCodes(file: string) {
  return (await readToml(file)).read(FILE);
}
