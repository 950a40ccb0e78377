import type { z } from "zod";
import type { Categories } from "./categories.ts";
import type { Facts } from "./facts.ts";
import type { PictureWriter } from "./pictures.ts";
import type { Source } from "./source.ts";
import { join } from "node:path";
import { fail } from "../fail.ts";
import { distinct } from "./estimates.ts";
import { checkEvidence, readSummary, EVIDENCE } from "./evidence.ts";
import { date, flag, optionalText, table, text, texts } from "./fields.ts";
import { findFigure } from "./figures.ts";
import { sortedNames } from "./folder.ts";
import { readMdx } from "./mdx.ts";

const FRONT_MATTER = table({
  title: text,
  excerpt: text,
  date,
  author: text,
  categories: texts,
  tags: texts,
  featured: flag,
  problem: optionalText,
  property_type: optionalText,
  image: optionalText,
  image_alt: optionalText,
  aliases: texts,
  ...EVIDENCE,
});

export type Fields = Omit<z.output<typeof FRONT_MATTER>, "image" | "image_alt">;
export type Article = Awaited<ReturnType<typeof readArticle>>;

/** Ids appear in URLs and file names. */
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads `articles/<id>/index.mdx`, newest first. `writePicture` writes images; `facts` are available to texts. */
export async function readArticles(folder: string, writePicture: PictureWriter, facts: Facts, categories: Categories) {
  const ids = await sortedNames(folder);
  const articles = await Promise.all(ids.map((id) => readArticle(folder, id, writePicture, { facts, categories })));
  checkAliases(folder, articles);
  checkEachIsUsed(categories, articles);
  return articles.sort((a, b) => compare(b.meta.date, a.meta.date) || compare(a.meta.id, b.meta.id));
}

async function readArticle(
  folder: string,
  id: string,
  writePicture: PictureWriter,
  { facts, categories }: { facts: Facts; categories: Categories },
) {
  const file = join(folder, id, "index.mdx");
  if (!ID.test(id)) fail(file, 1, "the folder's name is the article's id: lower-case letters, digits and hyphens");
  const { frontMatter, body, headings, links, estimates } = await readMdx(file, { facts, isEditorial: true });
  const { image, image_alt: alt, ...fields } = frontMatter.read(FRONT_MATTER);
  checkTexts(frontMatter, fields, categories);
  checkEvidence(frontMatter, fields);
  const summary = await readSummary(frontMatter, fields.summary, facts);
  if (image && !alt) fail(file, frontMatter.lineOf(["image"]), "image_alt: describe the image");
  const picture = image ? await writePicture(join(folder, id, image), id) : null;
  const meta = {
    id,
    ...fields,
    summary: summary.plain.replaceAll("\n", " "),
    image: picture && { src: picture.src, width: picture.width, height: picture.height, alt: alt ?? "" },
    headings,
    estimates: distinct([...summary.estimates, ...estimates]),
  };
  const bodies = [
    { id: `article-${id}`, body },
    { id: `summary-${id}`, body: summary.body },
  ];
  return { meta, file, page: `/blog/${id}`, links: [...links, ...summary.links], drawing: picture?.drawing, bodies };
}

function checkTexts(frontMatter: Source, fields: Fields, { categories }: Categories) {
  if (fields.categories.length === 0) frontMatter.fail(["categories"], "name at least one");
  const names = categories.map(({ name }) => name);
  for (const [index, name] of fields.categories.entries()) {
    if (names.includes(name)) continue;
    frontMatter.fail(["categories", index], `${name} is not in categories.toml; known are ${names.join(", ")}`);
  }
  for (const key of ["title", "excerpt"] as const) {
    const figure = findFigure(fields[key]);
    if (figure) frontMatter.fail([key], `„${figure}“ would stand here and in facts.toml; say it without the figure`);
  }
}

function checkEachIsUsed({ categories, complain }: Categories, articles: Article[]) {
  const used = new Set(articles.flatMap(({ meta }) => meta.categories));
  for (const { name } of categories) if (!used.has(name)) complain(name, `no article is in ${name}`);
}

function checkAliases(folder: string, articles: Article[]) {
  const taken = new Map(articles.map(({ meta }) => [meta.id, meta.id]));
  for (const { meta } of articles) {
    for (const alias of meta.aliases) {
      const file = join(folder, meta.id, "index.mdx");
      if (taken.has(alias)) fail(file, 1, `aliases: ${alias} already belongs to ${taken.get(alias)}`);
      taken.set(alias, meta.id);
    }
  }
}

/** Orders by code units, which is the same everywhere, unlike a locale's order. */
function compare(a: string, b: string) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
