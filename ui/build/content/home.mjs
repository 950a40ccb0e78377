import { fail, lineOf } from "../fail.mjs";
import { checkFields, drawingName, text, texts, wholeNumber } from "./fields.mjs";
import { readToml } from "./toml.mjs";

/** The sections of `home.toml`; a function checks one value, a list holds the fields of each entry. */
const sections = (drawings) => ({
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

/** Reads the texts of the home page. `drawings` are those that they may name. */
export async function readHome(file, drawings) {
  const { source, data } = await readToml(file);
  const known = sections(drawings);
  const home = {};
  for (const [name, fields] of Object.entries(known)) {
    const value = data[name];
    if (value === undefined) fail(file, 1, `[${name}] is missing`);
    home[name] = Array.isArray(fields)
      ? value.map((entry) => checkFields(file, source, entry, fields[0]))
      : checkFields(file, source, value, fields);
  }
  for (const name of Object.keys(data)) {
    if (!(name in known)) fail(file, lineOf(source, `\\[+${name}`), `unknown section ${name}`);
  }
  return home;
}
