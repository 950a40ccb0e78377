/** @import { Facts } from "./facts.mjs" */
import { factTexts } from "./fact-fill.mjs";
import { optionalText, table, tables, text } from "./fields.mjs";
import { readToml } from "./toml.mjs";

/** @typedef {Awaited<ReturnType<typeof readServiceArea>>} ServiceArea */

/** @param {Facts} facts */
const fileOf = (facts) =>
  table({
    title: factTexts(facts).text,
    lead: text,
    area: tables({ name: text, days: text, specialisation: text, covers: text }),
    district: tables({ name: text, text, article: optionalText, article_title: optionalText }),
    background: table({ title: text, lead: text, row: tables({ topic: text, text }) }),
  });

/**
 * Reads the parts of the city with their days of service, its districts, and background information. A district may
 * name one of the articles. The title may contain a fact.
 *
 * @param {string} file
 * @param {readonly string[]} articleIds
 * @param {Facts} facts
 */
export async function readServiceArea(file, articleIds, facts) {
  const source = await readToml(file);
  const { title, lead, area: areas, district: districts, background } = source.read(fileOf(facts));
  for (const [index, { article, article_title }] of districts.entries()) {
    const complain = source.complainAt("district", index);
    if (article && !articleIds.includes(article)) complain("article", `there is no article ${article}`);
    if (article && !article_title) complain("article_title", "must be a text, because article is set");
  }
  const { row: rows, ...opening } = background;
  return { title, lead, areas, districts, background: { ...opening, rows } };
}
