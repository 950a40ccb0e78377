import type { Heading, Link, List, ListItem, Nodes, Paragraph } from "mdast";
import type { FindColour } from "../palette.ts";
import type { Block } from "./markdown.ts";
import { typesetHtml } from "../content/typography.ts";
import { escapeHtml } from "./escape.ts";
import { CELL, mailSheet, mailStyles } from "./style.ts";

export type Style = ReturnType<typeof mailStyles>;

/** Renders a mail as an HTML document: one column, no pictures, no external resources, inline styles. */
export function renderHtml(
  { subject, preview, body, footer }: { subject: string; preview: string; body: Block[]; footer: Block[] },
  { light, dark }: { light: FindColour; dark: FindColour },
) {
  const style = mailStyles(light);
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${escapeHtml(subject)}</title>
<style>${mailSheet(dark)}</style>
</head>
<body${style("page", "page")}>
<div${style("hidden")}>${escapeHtml(preview)}</div>
<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->
<div${style("column")}>
<div role="banner"${style("brand", "ink", "rule")}>{{ site.name }}</div>
<div role="main"${style("card", "card")}>
${typesetHtml(body.map((node) => block(node, style)).join(""))}</div>
<div role="contentinfo"${style("footer", "soft")}>
${typesetHtml(footer.map((node) => block(node, style, "small")).join(""))}</div>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</body>
</html>
`;
}

/** @param paragraph the style rule for paragraphs */
function block(node: Block, style: Style, paragraph: string = "paragraph"): string {
  switch (node.type) {
    case "tag":
      return node.value;
    case "items":
      return list(
        node.parts.map((part) => (part.type === "tag" ? part.value : items(part, style))).join(""),
        node.parts.some((part) => part.type === "list" && isFacts(part)),
        style,
      );
    case "list":
      return list(items(node, style), isFacts(node), style);
    case "heading":
      return heading(node, style);
    case "blockquote":
      return `<div${style("quote", "quote")}>${node.children.map((child) => inline(child, style)).join("\n\n")}</div>\n`;
    case "thematicBreak":
      return `<hr${style("rule", "line")}>\n`;
    case "paragraph": {
      const link = onlyLink(node);
      return link ? button(link, style) : `<p${style(paragraph)}>${inline(node, style)}</p>\n`;
    }
    default:
      return "";
  }
}

function heading(node: Heading, style: Style) {
  const level = Math.min(node.depth, 2);
  return `<h${level}${style(`heading${level}`, "ink")}>${inline(node, style)}</h${level}>\n`;
}

/** Returns whether each item begins with its name in bold. */
function isFacts(node: List) {
  return node.children.every(
    ({ children: [first] }) => first?.type === "paragraph" && first.children[0]?.type === "strong",
  );
}

function list(inner: string, areFacts: boolean, style: Style) {
  return areFacts
    ? `<table role="presentation"${style("facts", "line")}><tbody>\n${inner}</tbody></table>\n`
    : `<ul${style("list")}>\n${inner}</ul>\n`;
}

function items(node: Block, style: Style) {
  if (node.type !== "list") return "";
  const render = isFacts(node) ? fact : item;
  return node.children.map((child) => render(child, style)).join("");
}

function item({ children }: ListItem, style: Style) {
  return `<li${style("item")}>${children.map((child) => inline(child, style)).join(" ")}</li>\n`;
}

function fact({ children: [first] }: ListItem, style: Style) {
  const [name, ...rest] = first?.type === "paragraph" ? first.children : [];
  const cell = (rule: string, colours: string[], nodes: Nodes[]) =>
    `<td${style(rule, CELL, "line", ...colours)}>${nodes
      .map((child) => inline(child, style))
      .join("")
      .trim()}</td>`;
  const words = name && "children" in name ? name.children : [];
  return `<tr>${cell("factName", ["soft"], words)}${cell("fact", [], rest)}</tr>\n`;
}

/** Returns the link that makes up a whole paragraph, if any. */
function onlyLink({ children: [first, ...others] }: Paragraph): Link | undefined {
  return first?.type === "link" && others.length === 0 ? first : undefined;
}

/** Returns a link as a button, with its address as text for programs that do not show buttons. */
function button(link: Link, style: Style) {
  const href = escapeHtml(link.url);
  const label = link.children.map((child) => inline(child, style)).join("");
  return `<p${style("buttonLine")}><a href="${href}"${style("button", "button")}>${label}</a></p>
<p${style("address", "soft")}>Falls die Schaltfläche nicht reagiert, öffnen Sie diese Adresse:<br><a href="${href}"${style("", "link")}>${href}</a></p>
`;
}

function inline(node: Nodes, style: Style): string {
  if (node.type === "text") return escapeHtml(node.value);
  if (node.type === "inlineCode") return `<code${style("code")}>${escapeHtml(node.value)}</code>`;
  if (node.type === "break") return "<br>\n";
  if (!("children" in node)) return "";
  const inner = node.children.map((child) => inline(child, style)).join("");
  if (node.type === "strong") return `<strong>${inner}</strong>`;
  if (node.type === "emphasis") return `<em>${inner}</em>`;
  if (node.type === "link") return `<a href="${escapeHtml(node.url)}"${style("", "link")}>${inner}</a>`;
  return inner;
}
