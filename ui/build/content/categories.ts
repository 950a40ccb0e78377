import { distinctTables, optionalText, table, tables, text, texts } from "./fields.ts";
import { readToml } from "./toml.ts";

export type Categories = Awaited<ReturnType<typeof readCategories>>;

const FILE = table({
  category: distinctTables(
    { name: text, about: text, introduction: optionalText, problem: optionalText, property_type: optionalText },
    "name",
  ),
  text: tables({ keywords: texts, heading: text, intro: text }),
  other: table({ heading: text, intro: text }),
});

/**
 * Reads the categories of the blog, and the texts of their pages. `complain(name, message)` fails the build at that
 * category's line.
 */
export async function readCategories(file: string) {
  const source = await readToml(file);
  const { category: categories, text: texts, other } = source.read(FILE);
  const indexOf = new Map(categories.map(({ name }, index) => [name, index]));
  return {
    categories,
    texts,
    other,
    complain: (name: string, message: string): never =>
      source.fail(["category", indexOf.get(name) ?? 0, "name"], message),
  };
}
