import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "@swc/core";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";

const ROOT = resolve(import.meta.dirname, "../../..");

/** A German text in a source file, with its spaces as a browser shows them. */
export interface Literal {
  readonly file: string;
  readonly text: string;
}

/** A node of the parser's tree; its other members are values, nodes and lists of nodes. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Returns the German texts of components and scripts, such as toasts, states and labels, which no served page need contain. */
export async function literalsOfScripts(): Promise<Literal[]> {
  const found = await inFiles("ui/src", /(?<!\.test|\.d)\.tsx?$/, async (source) => {
    const texts: string[] = [];
    collect((await parse(source, { syntax: "typescript", tsx: true })) as unknown as Node, texts);
    return texts;
  });
  return found.flat();
}

/** Returns the German texts of hand-written files, including the messages about invalid answers. */
export async function literalsOfContent(): Promise<Literal[]> {
  // No dictionary contains place names.
  const found = await inFiles("content", /^(?!postal-codes)[\w-]+\.toml$/, (source) =>
    stringsIn(getStaticTOMLValue(parseTOML(source)))
      .filter(isGerman)
      .map(plainText),
  );
  return found.flat();
}

/** Returns the German messages of the server. */
export async function literalsOfServer(): Promise<Literal[]> {
  const found = await inFiles("src", /(?<!_tests|\/tests)\.rs$/, (source) => {
    const [code = ""] = source.split("#[cfg(test)]");
    const literals = [...code.replace(/^\s*\/\/.*$/gm, "").matchAll(/"((?:[^"\\]|\\.)*)"/gs)];
    return literals.map(([, text = ""]) => text.replaceAll(/\\\n\s*/g, "")).filter((text) => GERMAN_WORD.test(text));
  });
  return found.flat();
}

async function inFiles(
  folder: string,
  names: RegExp,
  textsOf: (source: string) => string[] | Promise<string[]>,
): Promise<Literal[][]> {
  const files = (await readdir(join(ROOT, folder), { recursive: true })).filter((name) => names.test(name));
  return Promise.all(
    files.map(async (name) => {
      const texts = await textsOf(await readFile(join(ROOT, folder, name), "utf8"));
      const shown = texts.map((text) => text.replaceAll(/[ \t\r\n]+/g, " ")).filter((text) => text !== " ");
      return shown.map((text) => ({ file: `${folder}/${name}`, text }));
    }),
  );
}

/** Calls whose arguments are for developers, and members that hold names. */
const FOR_DEVELOPERS = /^(?:\w*Error|console|fail|assert)$/;
const NAMES = /^(?:@type|className|id|type|rel|name|key|href|path|owner|opening_hours)$/;

/** Collects the German texts of a tree: what is between tags, and what reads like a word or a sentence. */
function collect(node: Node, texts: string[]): void {
  if (node.type === "JSXText") texts.push(String(node.value).replaceAll(/\s*\n\s*/g, "\n"));
  if (node.type === "StringLiteral" && isGerman(String(node.value))) texts.push(String(node.value));
  if (node.type === "TemplateLiteral") {
    const whole = (node.quasis as { cooked?: string }[]).map(({ cooked = "" }) => cooked).join(" … ");
    if (isGerman(whole)) texts.push(whole);
  }
  if (node.type.startsWith("Import") || node.type.startsWith("Ts") || isForDevelopers(node)) return;
  for (const [member, value] of Object.entries(node)) {
    if (member === "quasis" || member === "key") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      const inner = (child as { expression?: unknown })?.expression ?? child;
      if (isNode(child)) collect(child, texts);
      else if (isNode(inner)) collect(inner, texts);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function isForDevelopers(node: Node): boolean {
  if (node.type === "NewExpression" || node.type === "CallExpression") {
    const callee = node.callee as { value?: string; object?: { value?: string } };
    return FOR_DEVELOPERS.test(callee.value ?? callee.object?.value ?? "");
  }
  const key = (node.type === "KeyValueProperty" ? node.key : node.type === "JSXAttribute" ? node.name : null) as {
    value?: string;
  } | null;
  return NAMES.test(key?.value ?? "");
}

/** Returns whether a text reads like German rather than like a name in the code: a capitalised word, or a sentence. */
function isGerman(text: string): boolean {
  if (!/\p{L}{3}/u.test(text)) return false;
  return /[äöüßÄÖÜ„“]/.test(text) || /^\W*[A-Z]\S* \S/.test(text) || /^[A-Z][a-z]+[.!?:]?$/.test(text);
}

/** Distinguishes a German message of the server from an English line of its log. */
const GERMAN_WORD =
  /[äöüßÄÖÜ]|\b(?:der|die|das|ist|sind|nicht|Sie|Ihre|Ihr|und|wird|werden|eine|einen|kein|keine|zu|von|bitte|Bitte)\b/;

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, member]) => (NAMES.test(key) ? [] : stringsIn(member)));
}

/** Returns Markdown without markup, names and addresses. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/<[^>]*>|\]\([^)]*\)|\{\w+\}/g, " ");
}
