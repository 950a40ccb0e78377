import type { Facts } from "./facts.ts";
import { factTexts } from "./fact-fill.ts";
import { drawingName, table, tables, wholeNumber } from "./fields.ts";
import { readToml } from "./toml.ts";

/** Returns the schema of `home.toml`, whose drawings must exist. */
const fileOf = (drawings: object, { text, texts }: ReturnType<typeof factTexts>) =>
  table({
    hero: table({ question: text, lead: text, claim: text, plain_claim: text, promises: texts }),
    tiles: tables({ id: text, title: text, description: text }),
    how_it_works: table({ title: text, lead: text }),
    steps: tables({
      drawing: drawingName(drawings),
      title: text,
      text,
      single_title: text.optional(),
      single_text: text.optional(),
    }),
    services: table({ title: text, lead: text }),
    service: tables({ drawing: drawingName(drawings), title: text, text, article: text }),
    about: table({ title: text, lead: text, plain_opening: text, paragraphs: texts, commission: text }),
    end: table({ title: text, lead: text }),
    testimonials: table({ title: text, checked: text }),
    testimonial: tables({ name: text, position: text, project_type: text, rating: wholeNumber(1, 5), content: text }),
  });

/**
 * Reads the texts of the home page, which may name `drawings` and contain `facts`. Each service names one of the
 * articles. The server decides what depends on the operator's firms.
 */
export async function readHome(file: string, drawings: object, facts: Facts, articleIds: readonly string[]) {
  const source = await readToml(file);
  const home = source.read(fileOf(drawings, factTexts(facts)));
  for (const [index, { article }] of home.service.entries())
    if (!articleIds.includes(article)) source.fail(["service", index, "article"], `there is no article ${article}`);
  const { hero, steps, about } = home;
  const commission = either("site.handling.commission", ` ${about.commission}`);
  return {
    ...home,
    hero: { ...hero, offer: hero.claim.replace(/:.*/, ": {{ site.offered }}.") },
    steps: steps.map(({ single_title = "", single_text = "", ...step }) => ({
      drawing: step.drawing,
      title: single_title ? either("site.handling.single", single_title, step.title) : step.title,
      text: single_text ? either("site.handling.single", single_text, step.text) : step.text,
    })),
    about: { ...about, paragraphs: [...about.paragraphs.slice(0, -1), `${about.paragraphs.at(-1)}${commission}`] },
  };
}

/** Returns a text of which the server selects one version. */
export function either(test: string, text: string, otherwise = ""): string {
  return `{% if ${test} %}${text}{% else %}${otherwise}{% endif %}`;
}
