import generated from "../../generated/pages.json" with { type: "json" };
import type { readPages } from "../../build/content/pages.ts";

/** A page that consists of a prose body: content/pages/<name>.mdx. */
export type Text = Awaited<ReturnType<typeof readPages>>[number]["meta"];

export const textPages: Text[] = generated;
