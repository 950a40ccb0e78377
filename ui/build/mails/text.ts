import type { Nodes } from "mdast";
import type { Block } from "./markdown.ts";

/** An expression that is a whole quotation: a visitor's own text, which may have several lines. */
const EXPRESSION = /^\{\{\s*([\w.]+)\s*\}\}$/;

/**
 * Renders blocks as plain text. Tags directly adjoin their content, so that a condition that is not met leaves nothing
 * behind.
 */
export function renderText(blocks: Block[]): string {
  return blocks.map(block).join("");
}

function block(node: Block): string {
  switch (node.type) {
    case "tag":
      return node.value;
    case "items":
      return `${node.parts.map((part) => (part.type === "tag" ? part.value : items(part))).join("")}\n`;
    case "list":
      return `${items(node)}\n`;
    case "blockquote": {
      const quoted = node.children.map(inline).join("\n\n");
      const [, name] = EXPRESSION.exec(quoted) ?? [];
      return name ? `{{ ${name} | quoted }}\n\n` : `${quoted.replaceAll(/^/gm, "> ")}\n\n`;
    }
    case "thematicBreak":
      return "----\n\n";
    default:
      return `${inline(node)}\n\n`;
  }
}

function items(list: Nodes | Block) {
  if (!("children" in list)) return "";
  return list.children.map((item) => `- ${inline(item)}\n`).join("");
}

function inline(node: Nodes): string {
  if (node.type === "text") return node.value.replaceAll("\n", " ");
  if (node.type === "inlineCode") return `»${node.value}«`;
  if (node.type === "break") return "\n";
  if (!("children" in node)) return "";
  const text = node.children.map(inline).join("");
  if (node.type !== "link") return text;
  const address = node.url.replace(/^(?:mailto|tel):/, "");
  return text === address || node.url.includes("_link") ? text : `${text}: ${address}`;
}
