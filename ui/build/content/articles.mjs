/** @import { z } from "zod" */
/** @import { Categories } from "./categories.mjs" */
/** @import { Facts } from "./facts.mjs" */
/** @import { PictureWriter } from "./pictures.mjs" */
/** @import { Source } from "./source.mjs" */
import { join } from "node:path";
import { fail } from "../fail.mjs";
import { distinct } from "./estimates.mjs";
import { checkEvidence, compileSummary, EVIDENCE } from "./evidence.mjs";
import { date, flag, optionalText, table, text, texts } from "./fields.mjs";
import { findFigure } from "./figures.mjs";
import { sortedNames } from "./folder.mjs";
import { readMdx } from "./mdx.mjs";

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

/** @typedef {Omit<z.output<typeof FRONT_MATTER>, "image" | "image_alt">} Fields */
/** @typedef {Awaited<ReturnType<typeof readArticle>>} Article */

/** Ids appear in URLs and in file names. */
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Reads `articles/<id>/index.mdx`, newest first. Images are written by `writePicture`; `facts` are what texts may show.
 *
 * @param {string} folder
 * @param {PictureWriter} writePicture
 * @param {Facts} facts
 * @param {Categories} categories
 */
export async function readArticles(folder, writePicture, facts, categories) {
  const ids = await sortedNames(folder);
  const articles = await Promise.all(ids.map((id) => readArticle(folder, id, writePicture, { facts, categories })));
  checkAliases(folder, articles);
  checkEachIsUsed(categories, articles);
  return articles.sort((a, b) => compare(b.meta.date, a.meta.date) || compare(a.meta.id, b.meta.id));
}

/**
 * @param {string} folder
 * @param {string} id
 * @param {PictureWriter} writePicture
 * @param {{ facts: Facts, categories: Categories }} known
 */
async function readArticle(folder, id, writePicture, { facts, categories }) {
  const file = join(folder, id, "index.mdx");
  if (!ID.test(id)) fail(file, 1, "the folder's name is the article's id: lower-case letters, digits and hyphens");
  const { frontMatter, code, headings, links, estimates } = await readMdx(file, { facts, isEditorial: true });
  const { image, image_alt: alt, ...fields } = frontMatter.read(FRONT_MATTER);
  checkTexts(frontMatter, fields, categories);
  checkEvidence(frontMatter, fields);
  const summary = await compileSummary(frontMatter, fields.summary, facts);
  if (image && !alt) fail(file, frontMatter.lineOf(["image"]), "image_alt: describe the image");
  const { drawing, ...picture } = image ? await writePicture(join(folder, id, image), id) : {};
  const meta = {
    id,
    ...fields,
    summary: summary.plain.replaceAll("\n", " "),
    image: image ? { ...picture, alt } : null,
    headings,
    estimates: distinct([...summary.estimates, ...estimates]),
  };
  const bodies = [
    { id: `article-${id}`, code },
    { id: `summary-${id}`, code: summary.code },
  ];
  return { meta, file, page: `/blog/${id}`, links: [...links, ...summary.links], drawing, bodies };
}

/**
 * @param {Source} frontMatter
 * @param {Fields} fields
 * @param {Categories} known
 */
function checkTexts(frontMatter, fields, { categories }) {
  if (fields.categories.length === 0) frontMatter.fail(["categories"], "name at least one");
  const names = categories.map(({ name }) => name);
  for (const [index, name] of fields.categories.entries()) {
    if (names.includes(name)) continue;
    frontMatter.fail(["categories", index], `${name} is not in categories.toml; known are ${names.join(", ")}`);
  }
  for (const key of /** @type {const} */ (["title", "excerpt"])) {
    const figure = findFigure(fields[key]);
    if (figure) frontMatter.fail([key], `„${figure}“ would stand here and in facts.toml; say it without the figure`);
  }
}

/**
 * @param {Categories} categories
 * @param {Article[]} articles
 */
function checkEachIsUsed({ categories, complain }, articles) {
  const used = new Set(articles.flatMap(({ meta }) => meta.categories));
  for (const { name } of categories) if (!used.has(name)) complain(name, `no article is in ${name}`);
}

/**
 * @param {string} folder
 * @param {Article[]} articles
 */
function checkAliases(folder, articles) {
  const taken = new Map(articles.map(({ meta }) => [meta.id, meta.id]));
  for (const { meta } of articles) {
    for (const alias of meta.aliases) {
      const file = join(folder, meta.id, "index.mdx");
      if (taken.has(alias)) fail(file, 1, `aliases: ${alias} already belongs to ${taken.get(alias)}`);
      taken.set(alias, meta.id);
    }
  }
}

/**
 * Orders by code units: the same everywhere, unlike a locale's order.
 *
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
