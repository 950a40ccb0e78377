import type { Element, Nodes } from "hast";
import { toString } from "hast-util-to-string";

export type Heading = { level: number; id: string; text: string; settings: string[] };

/** Levels of the headings that a table of contents lists. */
const LEVELS = new Map([
  ["h2", 2],
  ["h3", 3],
]);

/**
 * Returns the headings of a compiled text (after `rehype-slug`) in their order. `settings` are those without which a
 * heading is not shown.
 */
export function readHeadings(node: Nodes, settings: string[] = []): Heading[] {
  const level = node.type === "element" ? LEVELS.get(node.tagName) : undefined;
  if (node.type === "element" && level !== undefined) {
    return [{ level, id: String(node.properties.id), text: labelOf(node), settings }];
  }
  if (!("children" in node)) return [];
  const inner = "name" in node && node.name === "IfSetting" ? [...settings, settingOf(node)] : settings;
  return node.children.flatMap((child) => readHeadings(child, inner));
}

function settingOf({ attributes }: Extract<Nodes, { attributes: unknown }>) {
  const value = attributes.find((one) => "name" in one && one.name === "name")?.value;
  return String(value);
}

/** Returns the text of an element in one line. */
export function labelOf(element: Element) {
  return toString(element).replace(/\s+/g, " ");
}
