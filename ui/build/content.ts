import type { PlacedLink } from "./check-links.ts";
import type { Article } from "./content/articles.ts";
import type { Link } from "./content/mdx.ts";
import type { Drawing } from "./drawings/read.ts";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readArticles } from "./content/articles.ts";
import { readCategories } from "./content/categories.ts";
import { readClaims } from "./content/claims.ts";
import { newestConsent, readConsent } from "./content/consent.ts";
import { readFacts } from "./content/facts.ts";
import { readFaq } from "./content/faq.ts";
import { readHamburg } from "./content/hamburg.ts";
import { readHome } from "./content/home.ts";
import { inquiryModule, readInquiry } from "./content/inquiry.ts";
import { readPages } from "./content/pages.ts";
import { pictureWriter } from "./content/pictures.ts";
import { readPostalCodes } from "./content/postal-codes.ts";
import { readServiceArea } from "./content/service-area.ts";
import { readDrawings, readMaps } from "./drawings/read.ts";
import { drawingFile, drawingStyle } from "./drawings/style.ts";
import { writeHashed } from "./hashed.ts";
import { readInlineScripts } from "./inline-scripts.ts";
import { readMails } from "./mails/read.ts";
import { readPalette } from "./palette.ts";

/** Drawings with a file of their own, which is fetched apart from the page: those below the first view, and the maps. */
const FILES = /^(services|maps)\/|^scenes\/(inquiry|offers|job|office)$/;

/** Drawings of screens that are rendered in the browser: the questionnaire and the thank-you page. */
const FORMS = /^(buildings|problems|locations)\/|^scenes\/thanks$/;

/**
 * Turns hand-written texts and drawings (`content/`, `src/drawings/`) into modules that the code imports (`generated/`):
 * JSON and the bodies of texts. The browser's code may import only `tiles.json`, `places.json`, `form-drawings.json`,
 * `legal.json`, `consent.json` and `inquiry.ts`; anything else would pull in all texts.
 */
export async function generate(content: string, ui: string) {
  const generated = join(ui, "generated");
  const assets = join(generated, "assets");
  await rm(assets, { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  const at = (name: string) => join(content, name);

  const facts = await readFacts(at("facts.toml"));
  const faq = await readFaq(at("faq.toml"), facts);
  const pages = await readPages(at("pages"), facts);
  const writePicture = await pictureWriter(ui, assets);
  const categories = await readCategories(at("categories.toml"));
  const articles = await readArticles(at("articles"), writePicture, facts, categories);
  const maps = await readMaps(at("maps"));
  const drawings = { ...(await readDrawings(join(ui, "src/drawings"))), ...drawingsOf(articles), ...maps };
  const inquiry = await readInquiry(at("inquiry.toml"));
  const articleIds = articles.map(({ meta }) => meta.id);
  const home = await readHome(at("home.toml"), drawings, facts, articleIds);
  const serviceArea = await readServiceArea(at("service-area.toml"), articleIds, facts);
  const texts = [faq, ...pages, ...articles];
  const postalCodes = await readPostalCodes(at("postal-codes.toml"));

  const modules = {
    faq: faq.meta,
    facts,
    claims: await readClaims(at("claims.toml"), facts),
    consent: newestConsent(await readConsent(at("consent.toml"))),
    "inline-scripts": await readInlineScripts(join(ui, "src/inline")),
    categories,
    hamburg: await readHamburg(at("hamburg.toml")),
    home,
    "service-area": serviceArea,
    map: JSON.parse(await readFile(at("map.json"), "utf8")),
    "postal-codes": postalCodes,
    places: postalCodes.names,
    tiles: home.tiles,
    mails: await readMails(at("mails"), await readPalette(ui)),
    drawings,
    "drawing-files": await writeDrawings(ui, drawings, assets),
    "form-drawings": Object.fromEntries(Object.entries(drawings).filter(([name]) => FORMS.test(name))),
    pages: pages.map(({ meta }) => meta),
    articles: articles.map(({ meta }) => meta),
    legal: pages
      .filter(({ meta }) => meta.name !== FOR_FIRMS)
      .map(({ meta }) => ({ path: `/${meta.name}`, title: meta.title })),
    links: texts.flatMap(linksIn),
  };
  for (const [name, value] of Object.entries(modules))
    await write(join(generated, `${name}.json`), `${JSON.stringify(value, null, 1)}\n`);
  const bodies = Object.fromEntries(texts.flatMap((text) => text.bodies).map(({ id, body }) => [id, body]));
  await write(join(generated, "bodies.js"), `export default ${JSON.stringify(bodies)};\n`);
  await write(join(generated, "bodies.d.ts"), BODIES_TYPES);
  await write(join(generated, "inquiry.ts"), inquiryModule(inquiry));
}

/** The page for firms, which the footer lists under services. */
const FOR_FIRMS = "fuer-betriebe";

/** Writes a file only if its content differs, because writing it triggers a rebuild of everything that depends on it. */
async function write(file: string, text: string) {
  const present = await readFile(file, "utf8").catch(() => null);
  if (present !== text) await writeFile(file, text);
}

/** Returns the links of a text with their file and page. */
function linksIn({ file, page, links }: { file: string; page: string; links: Link[] }): PlacedLink[] {
  return links.map((link) => ({ file, page, ...link }));
}

/** Returns the articles' own drawings, under names such as `articles/taubenabwehr-altona`. */
function drawingsOf(articles: Article[]): Record<string, Drawing> {
  return Object.fromEntries(
    articles.flatMap(({ meta, drawing }) => (drawing ? [[`articles/${meta.id}`, drawing]] : [])),
  );
}

/** Writes drawings to files that include their colour rules. Returns their addresses by name. */
async function writeDrawings(ui: string, drawings: Record<string, Drawing>, assets: string) {
  const css = `${await drawingStyle(ui)}${IN_FILES}`;
  const write = async ([name, drawing]: [string, Drawing]) => [
    name,
    await writeHashed(assets, `${basename(name)}.svg`, drawingFile(drawing, css)),
  ];
  const wanted = Object.entries(drawings).filter(([name]) => FILES.test(name));
  return Object.fromEntries(await Promise.all(wanted.map(write)));
}

/** Keeps lines equally wide at every size of a drawing, but finer in thumbnails. */
const IN_FILES = `.drawing{--draw-thin:1.6}.drawing *{vector-effect:non-scaling-stroke}
@media(max-width:180px){.drawing{--draw-thin:.75;stroke-width:1.2}}`;

/** The types of `bodies.js`, the trees of all texts by their ids, so that the type checker need not infer them. */
const BODIES_TYPES = `import type { TextNode } from "../build/content/tree.ts";
declare const bodies: Record<string, TextNode[]>;
export default bodies;
`;
