/** @import { Facts } from "./facts.mjs" */
import { join } from "node:path";
import { optionalDate, table, text, texts } from "./fields.mjs";
import { sortedNames } from "./folder.mjs";
import { readMdx } from "./mdx.mjs";

const FRONT_MATTER = table({ title: text, description: text, keywords: texts, updated: optionalDate });

/**
 * Reads the text pages: `pages/<name>.mdx` is served at `/<name>`.
 *
 * @param {string} folder
 * @param {Facts} facts
 */
export async function readPages(folder, facts) {
  const files = (await sortedNames(folder)).filter((name) => name.endsWith(".mdx"));
  return Promise.all(files.map((name) => readPage(join(folder, name), name.slice(0, -".mdx".length), facts)));
}

/**
 * @param {string} file
 * @param {string} name
 * @param {Facts} facts
 */
async function readPage(file, name, facts) {
  const { frontMatter, code, headings, links } = await readMdx(file, { facts });
  const meta = { name, ...frontMatter.read(FRONT_MATTER), headings };
  return { meta, file, page: `/${name}`, links, bodies: [{ id: `page-${name}`, code }] };
}
