import { readFile } from "node:fs/promises";
import { compile } from "@mdx-js/mdx";
import rehypeSlug from "rehype-slug";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import { LineCounter, parseDocument } from "yaml";
import { fail } from "../fail.mjs";
import { checkBlocks } from "./blocks.mjs";
import { checkFactUse } from "./fact-use.mjs";
import { readHeadings } from "./headings.mjs";
import { prepareTables } from "./prose-tables.mjs";
import { keepTogether } from "./typography.mjs";

/** Reads an MDX file: `{ data, code, words, plain, headings, source }`, `data` being its front matter. It may show `facts`. */
export async function readMdx(file, facts) {
  const source = await readFile(file, "utf8");
  return { source, data: frontMatter(file, source), ...(await compileMdx(file, source, "mdx", { facts })) };
}

/** Compiles MDX or Markdown to a module whose default export is the body's component. */
export async function compileMdx(file, source, format, { facts = {}, firstLine = 1 } = {}) {
  const seen = { words: 0, plain: "", headings: [] };
  const checks = [() => checkBlocks, checkFactUse(facts)];
  const remarkPlugins = [remarkFrontmatter, remarkGfm, ...checks, () => (tree) => collect(tree, seen)];
  const note = () => (tree) => void (seen.headings = readHeadings(tree));
  const rehypePlugins = [rehypeSlug, () => prepareTables, note, () => keepTogether];
  try {
    const output = await compile({ value: source }, { format, remarkPlugins, rehypePlugins });
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

/** Notes how many words a body has (for the reading time) and its text without markup. */
function collect(tree, seen) {
  seen.plain = tree.children.map(plainText).join(" ").replace(/\s+/g, " ").trim();
  visit(tree, (node) => {
    if (node.type === "text" || node.type === "inlineCode") seen.words += countWords(node.value);
  });
}

function visit(node, look) {
  look(node);
  for (const child of node.children ?? []) visit(child, look);
}

function plainText(node) {
  return node.value ?? (node.children ?? []).map(plainText).join("");
}

function countWords(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
