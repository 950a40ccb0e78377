import { optionalText, table, tables, text, texts } from "./fields.mjs";
import { readToml } from "./toml.mjs";

/** @typedef {Awaited<ReturnType<typeof readCategories>>} Categories */

const FILE = table({
  category: tables({ name: text, about: text, problem: optionalText, property_type: optionalText }),
  text: tables({ keywords: texts, heading: text, intro: text }),
  other: table({ heading: text, intro: text }),
});

/**
 * Reads the categories of the blog, and the texts of their pages. Calling `complain(name, message)` ends the build at
 * that category's line.
 *
 * @param {string} file
 */
export async function readCategories(file) {
  const source = await readToml(file);
  const { category: categories, text: texts, other } = source.read(FILE);
  const indexOf = new Map();
  for (const [index, { name }] of categories.entries()) {
    if (indexOf.has(name)) source.fail(["category", index, "name"], `${name} stands twice`);
    indexOf.set(name, index);
  }
  return {
    categories,
    texts,
    other,
    /** @type {(name: string, message: string) => never} */
    complain: (name, message) => source.fail(["category", indexOf.get(name), "name"], message),
  };
}
