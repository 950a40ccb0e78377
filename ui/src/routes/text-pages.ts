import generated from "../../generated/pages.json" with { type: "json" };
import type { Heading } from "../prose/headings.ts";

/** A page that consists of a prose body: content/pages/<name>.mdx. */
export interface TextPage {
  name: string;
  title: string;
  description: string;
  keywords: string[];
  /** YYYY-MM-DD or null. */
  updated: string | null;
  headings: Heading[];
}

export const textPages: TextPage[] = generated;

export function findTextPage(name: string): TextPage | undefined {
  return textPages.find((page) => page.name === name);
}
