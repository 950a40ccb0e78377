import type { Facts } from "./facts.ts";
import { join } from "node:path";
import { optionalDate, table, text, texts } from "./fields.ts";
import { sortedNames } from "./folder.ts";
import { readMdx } from "./mdx.ts";

const FRONT_MATTER = table({ title: text, description: text, keywords: texts, updated: optionalDate });

/** Reads the text pages: `pages/<name>.mdx` is served at `/<name>`. */
export async function readPages(folder: string, facts: Facts) {
  const files = (await sortedNames(folder)).filter((name) => name.endsWith(".mdx"));
  return Promise.all(files.map((name) => readPage(join(folder, name), name.slice(0, -".mdx".length), facts)));
}

async function readPage(file: string, name: string, facts: Facts) {
  const { frontMatter, body, headings, links } = await readMdx(file, { facts });
  const meta = { name, ...frontMatter.read(FRONT_MATTER), headings };
  return { meta, file, page: `/${name}`, links, bodies: [{ id: `page-${name}`, body }] };
}
