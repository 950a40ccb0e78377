import { factTexts } from "./fact-fill.mjs";
import { drawingName, wholeNumber } from "./fields.mjs";
import { checkTable, checkTables, checkTopLevel } from "./toml-tables.mjs";
import { readToml } from "./toml.mjs";

/** The sections of `home.toml`; a list holds the fields of each entry. */
const sections = (drawings, { text, texts }) => ({
  hero: { question: text, lead: text, claim: text, promises: texts },
  tiles: [{ id: text, title: text, description: text }],
  how_it_works: { title: text, lead: text },
  steps: [{ drawing: drawingName(drawings), title: text, text }],
  services: { title: text, lead: text },
  service: [{ drawing: drawingName(drawings), title: text, text }],
  about: { title: text, lead: text, paragraphs: texts },
  figures: [{ value: text, label: text }],
  testimonials: { title: text, lead: text },
  testimonial: [{ name: text, position: text, project_type: text, rating: wholeNumber(1, 5), content: text }],
});

/** Reads the texts of the home page. `drawings` are those that they may name, `facts` those that they may show. */
export async function readHome(file, drawings, facts) {
  const { source, data } = await readToml(file);
  const known = sections(drawings, factTexts(facts));
  checkTopLevel(file, source, data, Object.keys(known));
  const home = {};
  for (const [name, fields] of Object.entries(known)) {
    home[name] = Array.isArray(fields)
      ? checkTables(file, source, data, name, fields[0]).map(({ value }) => value)
      : checkTable(file, source, data, name, fields);
  }
  return home;
}
