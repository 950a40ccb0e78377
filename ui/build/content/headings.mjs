/** @import { Element, Nodes } from "hast" */
import { toString } from "hast-util-to-string";

/** @typedef {{ level: number, id: string, text: string, settings: string[] }} Heading */

/** Levels of the headings that a table of contents lists. */
const LEVELS = new Map([
  ["h2", 2],
  ["h3", 3],
]);

/**
 * Returns the headings of a compiled text (after `rehype-slug`) in their order. `settings` are those without which a
 * heading is not shown.
 *
 * @param {Nodes} node
 * @param {string[]} settings
 * @returns {Heading[]}
 */
export function readHeadings(node, settings = []) {
  const level = node.type === "element" ? LEVELS.get(node.tagName) : undefined;
  if (node.type === "element" && level !== undefined) {
    return [{ level, id: String(node.properties.id), text: labelOf(node), settings }];
  }
  if (!("children" in node)) return [];
  const inner = "name" in node && node.name === "IfSetting" ? [...settings, settingOf(node)] : settings;
  return node.children.flatMap((child) => readHeadings(child, inner));
}

/** @param {Extract<Nodes, { attributes: unknown }>} ifSetting */
function settingOf({ attributes }) {
  const value = attributes.find((one) => "name" in one && one.name === "name")?.value;
  return String(value);
}

/**
 * Returns the text of an element in one line.
 *
 * @param {Element} element
 */
export function labelOf(element) {
  return toString(element).replace(/\s+/g, " ");
}
