import generated from "../../generated/pages.json" with { type: "json" };
import type { Heading } from "../prose/headings.ts";

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
