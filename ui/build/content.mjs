/** @import { PlacedLink } from "./check-links.mjs" */
/** @import { Article } from "./content/articles.mjs" */
/** @import { Link } from "./content/links.mjs" */
/** @import { Drawing } from "./drawings/read.mjs" */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { readArticles } from "./content/articles.mjs";
import { readCategories } from "./content/categories.mjs";
import { readClaims } from "./content/claims.mjs";
import { readConsent } from "./content/consent.mjs";
import { readFacts } from "./content/facts.mjs";
import { readFaq } from "./content/faq.mjs";
import { readHamburg } from "./content/hamburg.mjs";
import { readHome } from "./content/home.mjs";
import { inquiryModule, inquiryRust, readInquiry } from "./content/inquiry.mjs";
import { readMap } from "./content/map.mjs";
import { readPages } from "./content/pages.mjs";
import { pictureWriter } from "./content/pictures.mjs";
import { readServiceArea } from "./content/service-area.mjs";
import { readDrawings } from "./drawings/read.mjs";
import { readInlineScripts } from "./inline-scripts.mjs";
import { readMails } from "./mails/read.mjs";
import { readPalette } from "./palette.mjs";
import { styleImports } from "./style-imports.mjs";

/** Drawings of the screens that are rendered in the browser: the questionnaire and the thank-you page. */
const FORMS = /^(buildings|problems|locations)\/|^scenes\/thanks$/;

/**
 * Turns what people write and draw (`content/`, `src/drawings/`) into the modules that the code imports
 * (`generated/`): JSON and compiled bodies. Of these only `tiles.json`, `form-drawings.json`, `legal.json`,
 * `consent.json` and `inquiry.ts` may be imported by the browser's code, which would otherwise carry all texts. The
 * server's code includes the files that end in `.rs`.
 *
 * @param {string} content
 * @param {string} ui
 */
export async function generate(content, ui) {
  const made = await mkdtemp(join(tmpdir(), "taubenabwehr-generated-"));
  try {
    await generateInto(made, content, ui);
    await update(join(ui, "generated"), made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Makes a folder like another one, and leaves what is the same as it is: nothing that depends on it is made again.
 *
 * @param {string} folder
 * @param {string} made
 */
async function update(folder, made) {
  const names = new Set(await filesBelow(made));
  for (const name of await filesBelow(folder)) if (!names.has(name)) await rm(join(folder, name));
  for (const name of names) {
    const bytes = await readFile(join(made, name));
    const present = await readFile(join(folder, name)).catch(() => null);
    if (present?.equals(bytes)) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}

/** @param {string} folder */
async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap((one) => (one.isFile() ? [relative(folder, join(one.parentPath, one.name))] : []));
}

/**
 * @param {string} generated
 * @param {string} content
 * @param {string} ui
 */
async function generateInto(generated, content, ui) {
  await mkdir(join(generated, "bodies"), { recursive: true });
  await mkdir(join(generated, "assets"), { recursive: true });

  const facts = await readFacts(join(content, "facts.toml"));
  const faq = await readFaq(join(content, "faq.toml"), facts);
  const pages = await readPages(join(content, "pages"), facts);
  const writePicture = await pictureWriter(ui, join(generated, "assets"));
  const categories = await readCategories(join(content, "categories.toml"));
  const articles = await readArticles(join(content, "articles"), writePicture, facts, categories);
  const drawings = await readDrawings(join(ui, "src/drawings"));
  const home = await readHome(join(content, "home.toml"), drawings, facts);
  const inquiry = await readInquiry(join(content, "inquiry.toml"));
  const articleIds = articles.map(({ meta }) => meta.id);
  const serviceArea = await readServiceArea(join(content, "service-area.toml"), articleIds, facts);

  await writeFile(join(generated, "styles.css"), await styleImports(join(ui, "src")));
  await writeJson(generated, "faq.json", faq.meta);
  await writeJson(generated, "facts.json", facts);
  await writeJson(generated, "claims.json", await readClaims(join(content, "claims.toml"), facts));
  await writeJson(generated, "consent.json", (await readConsent(join(content, "consent.toml"))).at(-1));
  await writeFile(join(generated, "inquiry.ts"), inquiryModule(inquiry));
  await writeAll(join(generated, "inquiry"), inquiryRust(inquiry));
  await writeJson(generated, "inline-scripts.json", await readInlineScripts(join(ui, "src/inline")));
  await writeJson(generated, "categories.json", categories);
  await writeJson(generated, "hamburg.json", await readHamburg(join(content, "hamburg.toml")));
  await writeJson(generated, "home.json", home);
  await writeJson(generated, "service-area.json", serviceArea);
  await writeJson(generated, "map.json", await readMap(join(content, "map.toml"), serviceArea));
  await writeJson(generated, "tiles.json", home.tiles);
  await writeJson(generated, "mails.json", await readMails(join(content, "mails"), await readPalette(ui)));
  await writeDrawings(generated, { ...drawings, ...drawingsOf(articles) });
  await writeJson(
    generated,
    "pages.json",
    pages.map((page) => page.meta),
  );
  await writeJson(
    generated,
    "articles.json",
    articles.map((article) => article.meta),
  );
  await writeJson(
    generated,
    "legal.json",
    pages.map(({ meta }) => ({ path: `/${meta.name}`, title: meta.title })),
  );
  await writeJson(generated, "links.json", [faq, ...pages, ...articles].flatMap(linksIn));
  await writeBodies(
    generated,
    [faq, ...pages, ...articles].flatMap((source) => source.bodies),
  );
}

/**
 * @param {string} generated
 * @param {string} name
 * @param {unknown} value
 */
async function writeJson(generated, name, value) {
  await writeFile(join(generated, name), `${JSON.stringify(value, null, 1)}\n`);
}

/**
 * @param {string} folder
 * @param {Record<string, string>} files
 */
async function writeAll(folder, files) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/**
 * @param {string} generated
 * @param {Record<string, Drawing>} drawings
 */
async function writeDrawings(generated, drawings) {
  const ofForms = Object.entries(drawings).filter(([name]) => FORMS.test(name));
  await writeJson(generated, "drawings.json", drawings);
  await writeJson(generated, "form-drawings.json", Object.fromEntries(ofForms));
}

/**
 * Returns the links of a text with their file and page.
 *
 * @param {{ file: string, page: string, links: Link[] }} text
 * @returns {PlacedLink[]}
 */
function linksIn({ file, page, links }) {
  return links.map((link) => ({ file, page, ...link }));
}

/**
 * Returns the articles' own drawings, by names such as `articles/taubenabwehr-altona`.
 *
 * @param {Article[]} articles
 * @returns {Record<string, Drawing>}
 */
function drawingsOf(articles) {
  return Object.fromEntries(
    articles.flatMap(({ meta, drawing }) => (drawing ? [[`articles/${meta.id}`, drawing]] : [])),
  );
}

/**
 * Writes `bodies.js`, which maps a body's id to its component; `src/prose/prose-body.tsx` is its only reader.
 *
 * @param {string} generated
 * @param {{ id: string, code: string }[]} bodies
 */
async function writeBodies(generated, bodies) {
  const lines = [];
  const entries = [];
  for (const [index, body] of bodies.entries()) {
    await writeFile(join(generated, "bodies", `${index}.js`), body.code);
    lines.push(`import body${index} from "./bodies/${index}.js";`);
    entries.push(`  ${JSON.stringify(body.id)}: body${index},`);
  }
  await writeFile(join(generated, "bodies.js"), `${lines.join("\n")}\nexport default {\n${entries.join("\n")}\n};\n`);
  await writeFile(join(generated, "bodies.d.ts"), bodiesTypes);
}

const bodiesTypes = `import type { ComponentType } from "react";
declare const bodies: Record<string, ComponentType<{ components: Record<string, unknown> }>>;
export default bodies;
`;
