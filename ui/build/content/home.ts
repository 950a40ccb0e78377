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
    service: tables({ drawing: drawingName(drawings), title: text, text }),
    about: table({ title: text, lead: text, plain_opening: text, paragraphs: texts }),
    testimonials: table({ title: text, lead: text, checked: text }),
    testimonial: tables({ name: text, position: text, project_type: text, rating: wholeNumber(1, 5), content: text }),
  });

/** Reads the texts of the home page, which may name `drawings` and contain `facts`. */
export async function readHome(file: string, drawings: object, facts: Facts) {
  return (await readToml(file)).read(fileOf(drawings, factTexts(facts)));
}
