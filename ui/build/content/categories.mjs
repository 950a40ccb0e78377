import { text, texts } from "./fields.mjs";
import { checkTable, checkTables, checkTopLevel } from "./toml-tables.mjs";
import { readToml } from "./toml.mjs";

const CATEGORY = { name: text, about: text };
const TEXT = { keywords: texts, heading: text, intro: text };
const OTHER = { heading: text, intro: text };

/**
 * Reads the categories of the blog, and the texts of their pages: `{ categories, texts, other, complain }`. Calling
 * `complain(name, message)` ends the build at that category's line.
 */
export async function readCategories(file) {
  const { source, data } = await readToml(file);
  checkTopLevel(file, source, data, ["category", "text", "other"]);
  const tables = checkTables(file, source, data, "category", CATEGORY);
  const taken = new Set();
  for (const { value, complain } of tables) {
    if (taken.has(value.name)) complain("name", `${value.name} stands twice`);
    taken.add(value.name);
  }
  return {
    categories: tables.map(({ value }) => value),
    texts: checkTables(file, source, data, "text", TEXT).map(({ value }) => value),
    other: checkTable(file, source, data, "other", OTHER),
    complain: (name, message) => tables.find(({ value }) => value.name === name).complain("name", message),
  };
}
