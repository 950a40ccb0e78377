import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as facts from "../../build/content/facts.ts";
import { readMdx } from "../../build/content/mdx.ts";

export const CONTENT = resolve(import.meta.dirname, "../../../content");

/** A text of `content/` without markup, with one line for each paragraph, heading, list item and cell. */
export interface Text {
  id: string;
  file: string;
  plain: string;
  source: string;
}

/** Returns all articles as readers see them, including figures. */
export async function readTexts(): Promise<Text[]> {
  const known = await readFacts();
  const ids = (await readdir(join(CONTENT, "articles"))).sort();
  return Promise.all(
    ids.map(async (id) => {
      const file = join(CONTENT, "articles", id, "index.mdx");
      return { id, file, ...(await readMdx(file, { facts: known })) } as Text;
    }),
  );
}

/** Returns the figures of `facts.toml` by name. */
export async function readFacts(): Promise<facts.Facts> {
  return facts.readFacts(join(CONTENT, "facts.toml"));
}
