import { fail } from "../fail.mjs";
import { factTexts } from "./fact-fill.mjs";
import { checkFields, optionalText, text } from "./fields.mjs";
import { checkTables, checkTopLevel } from "./toml-tables.mjs";
import { readToml } from "./toml.mjs";

const AREA = { name: text, days: text, specialisation: text, covers: text };
const DISTRICT = { name: text, text, article: optionalText, article_title: optionalText };
const ROW = { topic: text, text };
const KNOWN = ["title", "lead", "area", "district", "background"];

/**
 * Reads the parts of the city with their days of service, its districts, and what is special about it. `articleIds`
 * are the articles that there are: a district may name one of them. The title may show a fact.
 */
export async function readServiceArea(file, articleIds, facts) {
  const { source, data } = await readToml(file);
  checkTopLevel(file, source, data, KNOWN);
  const { title, lead, background } = data;
  if (!background) fail(file, 1, "[background] is missing");
  const { row: _, ...opening } = background;
  return {
    ...checkFields(file, source, { title, lead }, { title: factTexts(facts).text, lead: text }),
    areas: checkTables(file, source, data, "area", AREA).map(({ value }) => value),
    districts: checkTables(file, source, data, "district", DISTRICT).map(({ value, complain }) => {
      const { article, article_title } = value;
      if (article && !articleIds.includes(article)) complain("article", `there is no article ${article}`);
      if (article && !article_title) complain("article_title", "must be a text, because article is set");
      return value;
    }),
    background: {
      ...checkFields(file, source, opening, { title: text, lead: text }),
      rows: checkTables(file, source, data, "background.row", ROW).map(({ value }) => value),
    },
  };
}
