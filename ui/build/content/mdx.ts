import type { Facts } from "./facts.ts";
import { readFile } from "node:fs/promises";
import { evaluate } from "@mdx-js/mdx";
import remarkGfm from "remark-gfm";
import { fail, messageOf } from "../fail.ts";
import { blocksFor, checkBlock } from "./blocks.ts";
import { estimatesIn } from "./estimates.ts";
import { checkFigures } from "./figures.ts";
import { readFrontMatter, withoutFrontMatter } from "./front-matter.ts";
import { nameHeadings, readHeadings } from "./headings.ts";
import { prepareTables } from "./prose-tables.ts";
import { type Complain, elementsIn, plainText, type TextElement, type TextNode } from "./tree.ts";
import { insertWords, wordsFor } from "./words.ts";

export interface Options {
  /** Figures that the text may show. */
  facts?: Facts;
  /** Whether every figure must be one of them. */
  isEditorial?: boolean;
  /** The line of the file where the text begins. */
  firstLine?: number;
}

/** A link with its line. */
export type Link = { target: string; line: number };

/** Reads an MDX file: the result of `readText`, the front matter, and the `source` of both. */
export async function readMdx(file: string, options: Options) {
  const source = await readFile(file, "utf8");
  const text = await readText(file, withoutFrontMatter(source), options);
  return { source, frontMatter: readFrontMatter(file, source), ...text };
}

/** Caches what this process has read, because the development loop reads all texts again after each change. */
const known: Map<string, ReturnType<typeof readAnew>> = new Map();

/**
 * Evaluates MDX to a tree of elements, and replaces components that stand for words. Besides this `body` it returns the
 * text without markup, its headings, its links with their lines, and the origins of its estimates.
 */
export function readText(file: string, text: string, options: Options = {}): ReturnType<typeof readAnew> {
  const key = JSON.stringify([file, text, options]);
  const read = known.get(key) ?? readAnew(file, text, options);
  known.set(key, read);
  return read;
}

async function readAnew(file: string, text: string, { facts = {}, isEditorial = false, firstLine = 1 }: Options) {
  const complain: Complain = ({ line }, message) => fail(file, line + firstLine - 1, message);
  const [blocks, words] = [blocksFor(facts), wordsFor(facts)];
  const names = [...Object.keys(blocks), ...Object.keys(words)];
  const written = await evaluated(text, names, complain);
  for (const element of elementsIn(written)) checkBlock(element, blocks, complain);
  if (isEditorial) checkFigures(written, complain);
  const body = insertWords(written, words, complain);
  nameHeadings(body);
  prepareTables(body);
  const links: Link[] = [...elementsIn(body)]
    .filter(({ type }) => type === "a")
    .map(({ props, line }) => ({ target: String(props.href), line: line + firstLine - 1 }));
  return { body, plain: plainText(body), headings: readHeadings(body), links, estimates: estimatesIn(written, facts) };
}

/**
 * @param names the components that the text may use
 */
async function evaluated(text: string, names: readonly string[], complain: Complain): Promise<TextNode[]> {
  try {
    const { default: Content } = await evaluate(text, {
      format: "mdx",
      remarkPlugins: [remarkGfm],
      development: true,
      Fragment: FRAGMENT as never,
      jsxDEV: element as never,
    });
    const root = Content({ components: Object.fromEntries(names.map((name) => [name, name])) as never });
    const { type, children } = root as unknown as TextElement;
    return type === FRAGMENT ? children : [root as unknown as TextElement];
  } catch (error) {
    const { line, reason } = error as { line?: number; reason?: string };
    const [, name, at] = /component `(\w+)`.*?at `(\d+):/s.exec(messageOf(error)) ?? [];
    const unknown = name && `<${name}>: unknown component; known are ${names.join(", ")}`;
    return complain({ line: line ?? Number(at ?? 1) } as TextElement, unknown ?? reason ?? messageOf(error));
  }
}

const FRAGMENT = "fragment";

/** Creates an element; MDX's generated code calls this. */
function element(
  type: string,
  { children, ...props }: Record<string, unknown>,
  _key: unknown,
  _isStatic: unknown,
  source: { lineNumber?: number } | undefined,
): TextElement {
  const inner = [children].flat().filter((child) => child !== undefined && child !== null);
  return { type, props, children: inner as TextNode[], line: source?.lineNumber ?? 1 };
}
