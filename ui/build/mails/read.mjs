/** @import { FindColour } from "../palette.mjs" */
/** @import { Block } from "./markdown.mjs" */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { table, text } from "../content/fields.mjs";
import { sortedNames } from "../content/folder.mjs";
import { readFrontMatter } from "../content/front-matter.mjs";
import { fail } from "../fail.mjs";
import { checkExpressions } from "./expressions.mjs";
import { renderHtml } from "./html.mjs";
import { parseMarkdown } from "./markdown.mjs";
import { FOOTER_NAMES, MAILS, namesOf } from "./names.mjs";
import { renderText } from "./text.mjs";

/** The end of every mail: who sends it. */
const FOOTER = "footer.md";

const FRONT_MATTER = table({ subject: text, preview: text });
const FRONT = /^---\n.*?\n---\n/s;

/** What Markdown must not hold here: nothing is loaded by a mail, and HTML would bypass the styles. */
const REFUSED = new Set(["html", "image", "imageReference", "linkReference", "definition", "code", "table"]);

/** @typedef {{ name: string, subject: string, text: string, html: string }} Mail templates of a mail's parts */

/**
 * Reads the mails and returns the templates of their parts.
 *
 * @param {string} folder
 * @param {{ light: FindColour, dark: FindColour }} palette
 * @returns {Promise<Mail[]>}
 */
export async function readMails(folder, palette) {
  const files = (await sortedNames(folder)).filter((name) => name !== FOOTER);
  const unknown = files.find((name) => !Object.hasOwn(MAILS, name.replace(/\.md$/, "")));
  if (unknown) fail(join(folder, unknown), 1, `no mail has this name; known are ${Object.keys(MAILS).join(", ")}`);
  const footer = await readFooter(join(folder, FOOTER));
  return Promise.all(Object.keys(MAILS).map((name) => readMail(folder, name, footer, palette)));
}

/** @param {string} file */
async function readFooter(file) {
  const source = await readFile(file, "utf8");
  checkExpressions(file, source, FOOTER_NAMES);
  return checked(file, parseMarkdown(source));
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {Block[]} footer
 * @param {{ light: FindColour, dark: FindColour }} palette
 * @returns {Promise<Mail>}
 */
async function readMail(folder, name, footer, palette) {
  const file = join(folder, `${name}.md`);
  const source = await readFile(file, "utf8").catch(() => fail(file, 1, "the mail is missing"));
  const { subject, preview } = readFrontMatter(file, source).read(FRONT_MATTER);
  checkExpressions(file, source, namesOf(name));
  // Lines keep their numbers, which messages name.
  const body = checked(file, parseMarkdown(source.replace(FRONT, (front) => front.replaceAll(/[^\n]/g, ""))));
  if (body.length === 0) fail(file, source.split("\n").length, "the mail has no text");
  const html = renderHtml({ subject, preview, body, footer }, palette);
  // Two hyphens and a space begin a signature (RFC 3676), which programs show smaller and leave out of answers.
  const plain = `${renderText(body)}-- \n${renderText(footer).replaceAll("\n\n", "\n")}`;
  return { name, subject, text: plain, html };
}

/**
 * Ends the build at the first block that a mail must not hold.
 *
 * @param {string} file
 * @param {Block[]} blocks
 */
function checked(file, blocks) {
  /** @type {(node: { type: string, line?: number, children?: object[], parts?: object[] }) => void} */
  const look = (node) => {
    if (REFUSED.has(node.type)) fail(file, node.line ?? 1, `a mail holds no ${node.type}`);
    for (const child of node.children ?? node.parts ?? []) look(/** @type {typeof node} */ (child));
  };
  for (const block of blocks) look(block);
  return blocks;
}
