import { readFile } from "node:fs/promises";
import { compile } from "@mdx-js/mdx";
import rehypeSlug from "rehype-slug";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import { LineCounter, parseDocument } from "yaml";
import { fail } from "../fail.mjs";
import { checkBlocks } from "./blocks.mjs";
import { insertFacts } from "./fact-insert.mjs";
import { checkFactUse } from "./fact-use.mjs";
import { checkFigures } from "./figures.mjs";
import { readHeadings } from "./headings.mjs";
import { linksOf, refusePictures } from "./links.mjs";
import { prepareTables } from "./prose-tables.mjs";
import { keepTogether } from "./typography.mjs";
import { visit } from "./walk.mjs";

/** Reads an MDX file: what `compileMdx` answers, `source`, and `data`, its front matter. Options are those of `compileMdx`. */
export async function readMdx(file, options) {
  const source = await readFile(file, "utf8");
  return { source, data: frontMatter(file, source), ...(await compileMdx(file, source, options)) };
}

/**
 * Compiles MDX to a module whose default export is the body's component: `{ code, words, plain, headings, links }`, the
 * links with their lines. It may show `facts`; where it `isEditorial`, every figure must be one of them.
 */
export async function compileMdx(file, source, { facts = {}, isEditorial = false, firstLine = 1 } = {}) {
  const seen = { words: 0, plain: "", headings: [], links: [] };
  const checks = [() => checkBlocks, checkFactUse(facts), ...(isEditorial ? [checkFigures] : []), () => refusePictures];
  const collectors = [
    () => (tree) => collect(tree, seen),
    () => (tree) => void (seen.links = linksOf(tree, firstLine)),
  ];
  const remarkPlugins = [remarkFrontmatter, remarkGfm, ...checks, insertFacts(facts), ...collectors];
  const note = () => (tree) => void (seen.headings = readHeadings(tree));
  const rehypePlugins = [rehypeSlug, () => prepareTables, note, () => keepTogether];
  try {
    const output = await compile({ value: source }, { format: "mdx", remarkPlugins, rehypePlugins });
    return { code: String(output), ...seen };
  } catch (error) {
    return fail(file, (error.line ?? 1) + firstLine - 1, error.reason ?? error.message);
  }
}

function frontMatter(file, source) {
  const match = /^---\n(.*?\n)---\n/s.exec(source);
  if (!match) fail(file, 1, "front matter is missing: begin the file with --- and end it with ---");
  const lines = new LineCounter();
  const document = parseDocument(match[1], { lineCounter: lines });
  const [error] = document.errors;
  if (error) fail(file, lines.linePos(error.pos[0]).line + 1, error.message.split("\n")[0]);
  return document.toJS() ?? {};
}

/** Notes how many words of prose a body has, without those in attributes of blocks, and its text without markup, a line for each block. */
function collect(tree, seen) {
  seen.plain = plainText(tree)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
  visit(tree, (node) => {
    if (node.type === "text" || node.type === "inlineCode") seen.words += countWords(node.value);
  });
}

const BLOCKS = new Set(["paragraph", "heading", "listItem", "tableCell", "mdxJsxFlowElement"]);

function plainText(node) {
  if (!node.children) return ["text", "inlineCode"].includes(node.type) ? node.value.replaceAll("\n", " ") : "";
  const text = node.children.map(plainText).join("");
  return BLOCKS.has(node.type) ? `${text}\n` : text;
}

function countWords(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
