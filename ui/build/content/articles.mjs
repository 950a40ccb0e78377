import { join } from "node:path";
import { sortedNames } from "../content.mjs";
import { fail, lineOf } from "../fail.mjs";
import { checkFields, date, flag, optionalText, text, texts } from "./fields.mjs";
import { findFigure } from "./figures.mjs";
import { readMdx } from "./mdx.mjs";

const FIELDS = {
  title: text,
  excerpt: text,
  date,
  author: text,
  categories: texts,
  tags: texts,
  featured: flag,
  image: optionalText,
  image_alt: optionalText,
  aliases: texts,
};

/** Ids appear in URLs and in file names. */
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Reads `articles/<id>/index.mdx`, newest first; images are written by `writePicture`; `facts` are what texts may show, and
 * `categories` what `categories.mjs` reads.
 */
export async function readArticles(folder, writePicture, facts, categories) {
  const ids = await sortedNames(folder);
  const articles = await Promise.all(ids.map((id) => readArticle(folder, id, writePicture, { facts, categories })));
  checkAliases(folder, articles);
  checkEachIsUsed(categories, articles);
  return articles.sort((a, b) => compare(b.meta.date, a.meta.date) || compare(a.meta.id, b.meta.id));
}

async function readArticle(folder, id, writePicture, { facts, categories }) {
  const file = join(folder, id, "index.mdx");
  if (!ID.test(id)) fail(file, 1, "the folder's name is the article's id: lower-case letters, digits and hyphens");
  const { source, data, code, headings, links } = await readMdx(file, { facts, isEditorial: true });
  const { image, image_alt, ...fields } = checkFields(file, source, data, FIELDS);
  checkTexts(file, source, fields, categories);
  if (image && !image_alt) fail(file, lineOf(source, "image"), "image_alt: describe the image");
  const { drawing, ...picture } = image ? await writePicture(join(folder, id, image), id) : {};
  const meta = { id, ...fields, image: image ? { ...picture, alt: image_alt } : null, headings };
  return { meta, file, page: `/blog/${id}`, links, drawing, bodies: [{ id: `article-${id}`, code }] };
}

function checkTexts(file, source, fields, { categories }) {
  if (fields.categories.length === 0) fail(file, lineOf(source, "categories"), "categories: name at least one");
  const names = categories.map(({ name }) => name);
  for (const name of fields.categories.filter((one) => !names.includes(one))) {
    fail(
      file,
      lineOf(source, "categories"),
      `categories: ${name} is not in categories.toml; known are ${names.join(", ")}`,
    );
  }
  for (const key of ["title", "excerpt"]) {
    const figure = findFigure(fields[key]);
    if (figure)
      fail(
        file,
        lineOf(source, key),
        `${key}: „${figure}“ would stand here and in facts.toml; say it without the figure`,
      );
  }
}

function checkEachIsUsed({ categories, complain }, articles) {
  const used = new Set(articles.flatMap(({ meta }) => meta.categories));
  for (const { name } of categories) if (!used.has(name)) complain(name, `no article is in ${name}`);
}

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

/** Orders by code units: the same everywhere, unlike a locale's order. */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
