/** @import { Root } from "hast" */
/** @import { Root as MarkdownRoot } from "mdast" */
/** @import { Facts } from "./facts.mjs" */
/** @import { Heading } from "./headings.mjs" */
/** @import { Link } from "./links.mjs" */
import { readFile } from "node:fs/promises";
import { compile } from "@mdx-js/mdx";
import rehypeSlug from "rehype-slug";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import { VFileMessage } from "vfile-message";
import { fail, messageOf } from "../fail.mjs";
import { checkBlocks } from "./blocks.mjs";
import { estimatesIn } from "./estimates.mjs";
import { insertFacts } from "./fact-insert.mjs";
import { checkFactUse } from "./fact-use.mjs";
import { checkFigures } from "./figures.mjs";
import { readFrontMatter } from "./front-matter.mjs";
import { readHeadings } from "./headings.mjs";
import { linksOf, refusePictures } from "./links.mjs";
import { countWords, plainText } from "./plain-text.mjs";
import { prepareTables } from "./prose-tables.mjs";
import { keepTogether } from "./typography.mjs";

/**
 * @typedef {object} Options
 * @property {Facts} [facts] figures that the text may show
 * @property {boolean} [isEditorial] whether every figure must be one of them
 * @property {number} [firstLine] line of the file on which the text begins
 */

/**
 * Reads an MDX file: what `compileMdx` returns, its front matter, and the `source` of both.
 *
 * @param {string} file
 * @param {Options} options
 */
export async function readMdx(file, options) {
  const source = await readFile(file, "utf8");
  return { source, frontMatter: readFrontMatter(file, source), ...(await compileMdx(file, source, options)) };
}

/**
 * Compiles MDX to a module whose default export is the body's component. Beside its code it returns the number of words
 * (for the reading time), the text without markup, its headings, its links with their lines, and whose estimates it shows.
 *
 * @param {string} file
 * @param {string} text
 * @param {Options} options
 */
export async function compileMdx(file, text, { facts = {}, isEditorial = false, firstLine = 1 } = {}) {
  const seen = {
    words: 0,
    plain: "",
    headings: /** @type {Heading[]} */ ([]),
    links: /** @type {Link[]} */ ([]),
    estimates: /** @type {string[]} */ ([]),
  };
  const look = () => (/** @type {MarkdownRoot} */ tree) => void (seen.estimates = estimatesIn(tree, facts));
  const collect = () => (/** @type {MarkdownRoot} */ tree) => {
    seen.words = countWords(tree);
    seen.plain = plainText(tree);
    seen.links = linksOf(tree, firstLine);
  };
  const checks = [() => checkBlocks, checkFactUse(facts), ...(isEditorial ? [checkFigures] : []), () => refusePictures];
  const remarkPlugins = [remarkFrontmatter, remarkGfm, ...checks, look, insertFacts(facts), collect];
  const note = () => (/** @type {Root} */ tree) => void (seen.headings = readHeadings(tree));
  const rehypePlugins = [rehypeSlug, () => prepareTables, note, () => keepTogether];
  try {
    const output = await compile({ value: text }, { format: "mdx", remarkPlugins, rehypePlugins });
    return { code: String(output), ...seen };
  } catch (error) {
    const { line, reason } = error instanceof VFileMessage ? error : { line: 1, reason: messageOf(error) };
    return fail(file, (line ?? 1) + firstLine - 1, reason);
  }
}
