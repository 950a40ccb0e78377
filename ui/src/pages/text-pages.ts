import generated from "../../generated/pages.json" with { type: "json" };
import type { Heading } from "../prose/blocks/table-of-contents.tsx";

/** A page that consists of a prose body: content/pages/<name>.mdx. */
export interface Text {
  name: string;
  title: string;
  description: string;
  keywords: string[];
  /** YYYY-MM-DD or null. */
  updated: string | null;
  headings: Heading[];
}

export const textPages: Text[] = generated;
