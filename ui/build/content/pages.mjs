import { join } from "node:path";
import { checkFields, optionalDate, text, texts } from "./fields.mjs";
import { sortedNames } from "./folder.mjs";
import { readMdx } from "./mdx.mjs";

const FIELDS = { title: text, description: text, keywords: texts, updated: optionalDate };

/** Reads the text pages: `pages/<name>.mdx` is served at `/<name>`. */
export async function readPages(folder, facts) {
  const files = (await sortedNames(folder)).filter((name) => name.endsWith(".mdx"));
  return Promise.all(files.map((name) => readPage(join(folder, name), name.slice(0, -".mdx".length), facts)));
}

async function readPage(file, name, facts) {
  const { source, data, code, headings, links } = await readMdx(file, { facts });
  const meta = { name, ...checkFields(file, source, data, FIELDS), headings };
  return { meta, file, page: `/${name}`, links, bodies: [{ id: `page-${name}`, code }] };
}
