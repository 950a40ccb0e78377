import type { FindColour } from "../palette.ts";
import type { Block } from "./markdown.ts";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { table, text } from "../content/fields.ts";
import { sortedNames } from "../content/folder.ts";
import { readFrontMatter, withoutFrontMatter } from "../content/front-matter.ts";
import { fail } from "../fail.ts";
import { renderHtml } from "./html.ts";
import { parseMarkdown } from "./markdown.ts";
import { renderText } from "./text.ts";

/** The end of every mail, which names its sender. */
const FOOTER = "footer.md";

const FRONT_MATTER = table({ label: text, subject: text, preview: text });

/** Markdown that mails must not contain: they load nothing, and HTML would bypass the styles. */
const REFUSED = new Set(["html", "image", "imageReference", "linkReference", "definition", "code", "table"]);

/** The templates of a mail's parts, and its name at the desk. */
export type Mail = { name: string; label: string; subject: string; text: string; html: string };

/** Reads the mails and returns the templates of their parts. */
export async function readMails(folder: string, palette: { light: FindColour; dark: FindColour }): Promise<Mail[]> {
  const names = (await sortedNames(folder)).filter((name) => name !== FOOTER);
  const footerFile = join(folder, FOOTER);
  const footer = checked(footerFile, parseMarkdown(await readFile(footerFile, "utf8")));
  return Promise.all(names.map((name) => readMail(join(folder, name), footer, palette)));
}

async function readMail(
  file: string,
  footer: Block[],
  palette: { light: FindColour; dark: FindColour },
): Promise<Mail> {
  const source = await readFile(file, "utf8");
  const { label, subject, preview } = readFrontMatter(file, source).read(FRONT_MATTER);
  const body = checked(file, parseMarkdown(withoutFrontMatter(source)));
  if (body.length === 0) fail(file, source.split("\n").length, "the mail has no text");
  const html = renderHtml({ subject, preview, body, footer }, palette);
  // Two hyphens and a space begin a signature (RFC 3676), which programs show smaller and omit from replies.
  const plain = `${renderText(body)}-- \n${renderText(footer).replaceAll("\n\n", "\n")}`;
  return { name: basename(file, ".md"), label, subject, text: plain, html };
}

/** Fails the build at the first block that a mail must not contain. */
function checked(file: string, blocks: Block[]) {
  const look: (node: { type: string; line?: number; children?: object[]; parts?: object[] }) => void = (node) => {
    if (REFUSED.has(node.type)) fail(file, node.line ?? 1, `a mail holds no ${node.type}`);
    for (const child of node.children ?? node.parts ?? []) look(child as typeof node);
  };
  for (const block of blocks) look(block);
  return blocks;
}
