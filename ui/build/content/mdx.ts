import type { Root } from "hast";
import type { Root as MarkdownRoot } from "mdast";
import type { Facts } from "./facts.ts";
import type { Heading } from "./headings.ts";
import type { Link } from "./links.ts";
import { readFile } from "node:fs/promises";
import { compile } from "@mdx-js/mdx";
import rehypeSlug from "rehype-slug";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import { VFileMessage } from "vfile-message";
import { fail, messageOf } from "../fail.ts";
import { checkBlocks } from "./blocks.ts";
import { estimatesIn } from "./estimates.ts";
import { insertFacts } from "./fact-insert.ts";
import { checkFactUse } from "./fact-use.ts";
import { checkFigures } from "./figures.ts";
import { readFrontMatter } from "./front-matter.ts";
import { readHeadings } from "./headings.ts";
import { linksOf, refusePictures } from "./links.ts";
import { plainText } from "./plain-text.ts";
import { prepareTables } from "./prose-tables.ts";

export interface Options {
  /** Figures that the text may show. */
  facts?: Facts;
  /** Whether every figure must be one of them. */
  isEditorial?: boolean;
  /** Line of the file on which the text begins. */
  firstLine?: number;
}

/** Reads an MDX file: what `compileMdx` returns, its front matter, and the `source` of both. */
export async function readMdx(file: string, options: Options) {
  const source = await readFile(file, "utf8");
  return { source, frontMatter: readFrontMatter(file, source), ...(await compileMdx(file, source, options)) };
}

/** What this process has compiled: the development loop reads all texts again when one has changed. */
const known: Map<string, ReturnType<typeof compileAnew>> = new Map();

/**
 * Compiles MDX to a module whose default export is the body's component. Beside its code it returns the text without
 * markup, its headings, its links with their lines, and whose estimates it shows.
 */
export function compileMdx(file: string, text: string, options: Options = {}): ReturnType<typeof compileAnew> {
  const key = JSON.stringify([file, text, options]);
  const compiled = known.get(key) ?? compileAnew(file, text, options);
  known.set(key, compiled);
  return compiled;
}

async function compileAnew(file: string, text: string, { facts = {}, isEditorial = false, firstLine = 1 }: Options) {
  const seen = {
    plain: "",
    headings: [] as Heading[],
    links: [] as Link[],
    estimates: [] as string[],
  };
  const look = () => (tree: MarkdownRoot) => void (seen.estimates = estimatesIn(tree, facts));
  const collect = () => (tree: MarkdownRoot) => {
    seen.plain = plainText(tree);
    seen.links = linksOf(tree, firstLine);
  };
  const checks = [() => checkBlocks, checkFactUse(facts), ...(isEditorial ? [checkFigures] : []), () => refusePictures];
  const remarkPlugins = [remarkFrontmatter, remarkGfm, ...checks, look, insertFacts(facts), collect];
  const note = () => (tree: Root) => void (seen.headings = readHeadings(tree));
  const rehypePlugins = [rehypeSlug, () => prepareTables, note];
  try {
    const output = await compile({ value: text }, { format: "mdx", remarkPlugins, rehypePlugins });
    return { code: String(output), ...seen };
  } catch (error) {
    const { line, reason } = error instanceof VFileMessage ? error : { line: 1, reason: messageOf(error) };
    return fail(file, (line ?? 1) + firstLine - 1, reason);
  }
}
