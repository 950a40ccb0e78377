import type { Facts } from "./facts.ts";
import { factTexts } from "./fact-fill.ts";
import { optionalText, table, tables, text } from "./fields.ts";
import { readToml } from "./toml.ts";

export type ServiceArea = Awaited<ReturnType<typeof readServiceArea>>;

const fileOf = (facts: Facts) =>
  table({
    title: factTexts(facts).text,
    lead: text,
    area: tables({ name: text, days: text, specialisation: text, covers: text }),
    district: tables({ name: text, text, article: optionalText, article_title: optionalText }),
    background: table({ title: text, lead: text, row: tables({ topic: text, text }) }),
  });

/**
 * Reads the parts of the city with their days of service, its districts, and background information. A district may refer
 * to one of the articles. The title may contain a fact.
 */
export async function readServiceArea(file: string, articleIds: readonly string[], facts: Facts) {
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
