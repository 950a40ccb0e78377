import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The build's own code is plain JavaScript; this is what the tests use of it. */
const build = (name: string) => import(new URL(`../../build/content/${name}.mjs`, import.meta.url).href);

export const CONTENT = resolve(import.meta.dirname, "../../../content");

/** A text of `content/` without markup, a line for each paragraph, heading, list item and cell. */
export interface Text {
  id: string;
  file: string;
  plain: string;
  words: number;
  source: string;
}

/** All articles as their readers see them, figures included. */
export async function readTexts(): Promise<Text[]> {
  const facts = await readFacts();
  const { readMdx } = await build("mdx");
  const ids = (await readdir(join(CONTENT, "articles"))).sort();
  return Promise.all(
    ids.map(async (id) => {
      const file = join(CONTENT, "articles", id, "index.mdx");
      return { id, file, ...(await readMdx(file, { facts })) } as Text;
    }),
  );
}

/** The figures of `facts.toml` by name. */
export async function readFacts(): Promise<Record<string, object>> {
  return (await build("facts")).readFacts(join(CONTENT, "facts.toml"));
}
