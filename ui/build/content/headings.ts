import GithubSlugger from "github-slugger";
import { elementsIn, labelOf, type TextNode } from "./tree.ts";

export type Heading = { level: number; id: string; text: string; settings: string[] };

/** Gives each heading the id that links use. */
export function nameHeadings(body: readonly TextNode[]) {
  const slugger = new GithubSlugger();
  for (const { type, props, children } of elementsIn(body))
    if (/^h[1-6]$/.test(type)) props.id ??= slugger.slug(labelOf(children));
}

/**
 * Returns the headings of the second and third level for a table of contents, in order. `settings` are those on which a
 * heading depends.
 */
export function readHeadings(nodes: readonly TextNode[], settings: string[] = []): Heading[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    const { type, props, children } = node;
    if (type === "h2" || type === "h3")
      return [{ level: Number(type[1]), id: String(props.id), text: labelOf(children), settings }];
    return readHeadings(children, type === "IfSetting" ? [...settings, String(props.name)] : settings);
  });
}
