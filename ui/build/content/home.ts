import type { Facts } from "./facts.ts";
import { factTexts } from "./fact-fill.ts";
import { drawingName, table, tables, wholeNumber } from "./fields.ts";
import { readToml } from "./toml.ts";

/** Returns the schema of `home.toml`, whose drawings must be there. */
const fileOf = (drawings: object, { text, texts }: ReturnType<typeof factTexts>) =>
  table({
    hero: table({ question: text, lead: text, claim: text, plain_claim: text, promises: texts }),
    tiles: tables({ id: text, title: text, description: text }),
    how_it_works: table({ title: text, lead: text }),
    steps: tables({ drawing: drawingName(drawings), title: text, text }),
    services: table({ title: text, lead: text }),
    service: tables({ drawing: drawingName(drawings), title: text, text, article: text }),
    about: table({ title: text, lead: text, plain_opening: text, paragraphs: texts }),
    end: table({ title: text, lead: text }),
    testimonials: table({ title: text, lead: text, checked: text }),
    testimonial: tables({ name: text, position: text, project_type: text, rating: wholeNumber(1, 5), content: text }),
  });

/** Reads the texts of the home page, which may name `drawings` and contain `facts`. Each service names one of the articles. */
export async function readHome(file: string, drawings: object, facts: Facts, articleIds: readonly string[]) {
  const source = await readToml(file);
  const home = source.read(fileOf(drawings, factTexts(facts)));
  for (const [index, { article }] of home.service.entries())
    if (!articleIds.includes(article)) source.fail(["service", index, "article"], `there is no article ${article}`);
  return home;
}
