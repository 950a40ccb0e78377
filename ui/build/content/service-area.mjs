import { fail } from "../fail.mjs";
import { checkFields, text } from "./fields.mjs";
import { readToml } from "./toml.mjs";

const AREA = { name: text, days: text, specialisation: text };

/** Reads the parts of the city with their days of service. */
export async function readServiceArea(file) {
  const { source, data } = await readToml(file);
  if (!Array.isArray(data.area) || data.area.length === 0) fail(file, 1, "[[area]] is missing");
  return data.area.map((area) => checkFields(file, source, area, AREA));
}
