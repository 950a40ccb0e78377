import type { Nodes, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { TEMPLATE } from "./escape.ts";

/** A line that is a single tag. The text between two of them is parsed separately. */
const TAG_LINE = /^\s*(\{%[^%]*%\})\s*$/;

/** Replace an expression while Markdown is parsed, which would treat some of its characters as markup. */
const OPEN = "\uE000";
const CLOSE = "\uE001";
const PLACE = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");

/** A tag of the template language between two blocks. */
export interface Tag {
  type: "tag";
  value: string;
}
/** A list with tags between its items. */
export type Items = { type: "items"; parts: Part[] };
export type Part = RootContent | Tag;
export type Block = Part | Items;

/**
 * Parses Markdown with template expressions in it. Lines that are a single tag separate blocks, but do not split a list
 * that contains the tag's opening and end.
 */
export function parseMarkdown(text: string): Block[] {
  const parts: Part[] = [];
  let [lines, firstLine] = ["", 1];
  for (const [index, line] of text.split("\n").entries()) {
    const [, tag] = TAG_LINE.exec(line) ?? [];
    if (tag === undefined) {
      lines += `${line}\n`;
      continue;
    }
    parts.push(...parse(lines, firstLine), { type: "tag", value: tag });
    [lines, firstLine] = ["", index + 2];
  }
  parts.push(...parse(lines, firstLine));
  return joinLists(parts);
}

function parse(text: string, firstLine: number) {
  const expressions: string[] = [];
  const masked = text.replace(TEMPLATE, (expression) => {
    expressions.push(expression);
    return `${OPEN}${expressions.length - 1}${CLOSE}`;
  });
  const { children } = fromMarkdown(masked);
  const unmask: (value: string) => string = (value) =>
    value.replace(PLACE, (_, index) => expressions[Number(index)] ?? "");
  const restore: (node: Nodes) => void = (node) => {
    // For error messages: the parser counts from the first line of this part.
    Object.assign(node, { line: (node.position?.start.line ?? 1) + firstLine - 1 });
    if ("value" in node) node.value = unmask(node.value);
    if ("url" in node) node.url = unmask(node.url);
    if ("children" in node) node.children.forEach(restore);
  };
  children.forEach(restore);
  return children;
}

/** Joins lists that only tags separate. */
function joinLists(parts: Part[]) {
  const blocks: Block[] = [];
  for (let start = 0; start < parts.length; ) {
    const end = endOfList(parts, start);
    const part = parts[start];
    if (end > start) blocks.push({ type: "items", parts: parts.slice(start, end) });
    else if (part) blocks.push(part);
    start = Math.max(end, start + 1);
  }
  return blocks;
}

/**
 * Returns the end of the longest run of lists and tags from `start` that contains a list and closes every tag that it
 * opens; `start` if there is none.
 */
function endOfList(parts: Part[], start: number) {
  let [end, depth, hasList] = [start, 0, false];
  for (let index = start; index < parts.length; index++) {
    const part = parts[index];
    if (part?.type === "list") hasList = true;
    else if (part?.type !== "tag") break;
    else if (/^\{%-?\s*(?:if|for)\b/.test(part.value)) depth += 1;
    else if (/^\{%-?\s*end/.test(part.value)) depth -= 1;
    else if (depth === 0) break;
    if (depth < 0) break;
    if (depth === 0 && hasList) end = index + 1;
  }
  return end;
}
