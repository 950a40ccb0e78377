import type { PlacedLink } from "./check-links.ts";
import type { Article } from "./content/articles.ts";
import type { Link } from "./content/mdx.ts";
import type { TextNode } from "./content/tree.ts";
import type { Drawing } from "./drawings/read.ts";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { readArticles } from "./content/articles.ts";
import { readCategories } from "./content/categories.ts";
import { readClaims } from "./content/claims.ts";
import { readConsent } from "./content/consent.ts";
import { readFacts } from "./content/facts.ts";
import { readFaq } from "./content/faq.ts";
import { readHamburg } from "./content/hamburg.ts";
import { readHome } from "./content/home.ts";
import { inquiryModule, inquiryRust, readInquiry } from "./content/inquiry.ts";
import { readMap } from "./content/map.ts";
import { readPages } from "./content/pages.ts";
import { pictureWriter } from "./content/pictures.ts";
import { readPostalCodes } from "./content/postal-codes.ts";
import { readServiceArea } from "./content/service-area.ts";
import { readDrawings } from "./drawings/read.ts";
import { readInlineScripts } from "./inline-scripts.ts";
import { readMails } from "./mails/read.ts";
import { readPalette } from "./palette.ts";

/** Drawings of the screens that are rendered in the browser: the questionnaire and the thank-you page. */
const FORMS = /^(buildings|problems|locations)\/|^scenes\/thanks$/;

/**
 * Turns what people write and draw (`content/`, `src/drawings/`) into the modules that the code imports
 * (`generated/`): JSON and compiled bodies. Of these only `tiles.json`, `form-drawings.json`, `legal.json`,
 * `consent.json` and `inquiry.ts` may be imported by the browser's code, which would otherwise carry all texts. The
 * server's code includes the files that end in `.rs`. Returns the names of those that have changed.
 */
export async function generate(content: string, ui: string) {
  const made = await mkdtemp(join(tmpdir(), "taubenabwehr-generated-"));
  try {
    await generateInto(made, content, ui);
    return await update(join(ui, "generated"), made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Makes a folder like another one, and leaves what is the same as it is: nothing that depends on it is made again. Returns the
 * names of the files that are others now.
 */
async function update(folder: string, made: string) {
  const changed: string[] = [];
  const names = new Set(await filesBelow(made));
  for (const name of await filesBelow(folder)) if (!names.has(name)) await rm(join(folder, name));
  for (const name of names) {
    const bytes = await readFile(join(made, name));
    const present = await readFile(join(folder, name)).catch(() => null);
    if (present?.equals(bytes)) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    changed.push(name);
    // In one go, so that watchers of the folder never read half a file.
    await writeFile(join(folder, `${name}.part`), bytes);
    await rename(join(folder, `${name}.part`), join(folder, name));
  }
  return changed;
}

async function filesBelow(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap((one) => (one.isFile() ? [relative(folder, join(one.parentPath, one.name))] : []));
}

async function generateInto(generated: string, content: string, ui: string) {
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
  await writeJson(generated, "postal-codes.json", await readPostalCodes(join(content, "postal-codes.toml")));
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

async function writeJson(generated: string, name: string, value: unknown) {
  await writeFile(join(generated, name), `${JSON.stringify(value, null, 1)}\n`);
}

async function writeAll(folder: string, files: Record<string, string>) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

async function writeDrawings(generated: string, drawings: Record<string, Drawing>) {
  const ofForms = Object.entries(drawings).filter(([name]) => FORMS.test(name));
  await writeJson(generated, "drawings.json", drawings);
  await writeJson(generated, "form-drawings.json", Object.fromEntries(ofForms));
}

/** Returns the links of a text with their file and page. */
function linksIn({ file, page, links }: { file: string; page: string; links: Link[] }): PlacedLink[] {
  return links.map((link) => ({ file, page, ...link }));
}

/** Returns the articles' own drawings, by names such as `articles/taubenabwehr-altona`. */
function drawingsOf(articles: Article[]): Record<string, Drawing> {
  return Object.fromEntries(
    articles.flatMap(({ meta, drawing }) => (drawing ? [[`articles/${meta.id}`, drawing]] : [])),
  );
}

/** Writes the trees of all texts by their ids; `src/prose/prose-body.tsx` is their only reader. */
async function writeBodies(generated: string, bodies: { id: string; body: TextNode[] }[]) {
  const entries = bodies.map(({ id, body }) => [id, body]);
  await writeFile(join(generated, "bodies.js"), `export default ${JSON.stringify(Object.fromEntries(entries))};\n`);
  await writeFile(join(generated, "bodies.d.ts"), bodiesTypes);
}

const bodiesTypes = `import type { TextNode } from "../build/content/tree.ts";
declare const bodies: Record<string, TextNode[]>;
export default bodies;
`;
