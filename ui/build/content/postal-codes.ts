import { z } from "zod";
import { table, text } from "./fields.ts";
import { readToml } from "./toml.ts";

/** Longitude and latitude. Swapped or mistyped ones are far outside these bounds. */
const POINT = z.tuple(
  [z.number().min(8.9).max(11.1), z.number().min(52.9).max(54.2)],
  "a point is [longitude, latitude]",
);

/** The attribution that a licence requires. */
const SOURCE = table({ owner: text, licence: text, licence_url: text, change: text });

const CODE = z.string().regex(/^2[0-2]\d{3}$/, "must be a postal code from 20000 to 22999");

const FILE = table({ source: SOURCE, centers: z.record(CODE, POINT), names: z.record(CODE, text) });

/** Reads the location of each postal code, and the name of its place. */
export async function readPostalCodes(file: string) {
  return (await readToml(file)).read(FILE);
}
