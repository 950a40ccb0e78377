import type { Assets, Page } from "./document.ts";
import type { Inline } from "./inline.ts";
import type { FindColour } from "./palette.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { documentFor } from "./document.ts";
import { inlineHashes } from "./inline.ts";
import { type PhotoAssets, privateDocument } from "./private.ts";

/** The bundled code that renders pages. */
export type Server = typeof import("../src/entry-server.tsx");

/** The address of the file of drawings as the code knows it (`src/drawings/sprite.tsx`). */
const SPRITE = "/assets/drawings.svg#";

/** A page that may hold a text of the operator's own, and the class that the server gives to tables in it. */
const OWN_TEXT = /\{\{ site\.own\./;
const OWN_TEXT_CLASS = "table-scroll";

export type RenderedPage = Omit<Page, "style"> & { file: string };

/**
 * The styles, scripts and colours that all pages share. `styleOf` returns the rules for some HTML and for the strings of
 * the code that may run in it, which `stringsOf` reads.
 */
export interface PageAssets {
  assets: Assets;
  palette: { light: FindColour; dark: FindColour };
  styleOf: (html: string, strings: string) => string;
  stringsOf: (html: string) => Promise<string>;
}

/**
 * Renders every page that answers 200, with its entry for the manifest.
 *
 * @param sprite address of the file of drawings
 */
export function renderFound(server: Server, sprite: string) {
  const pages = [];
  for (const { path, href, indexable, lastmod } of server.listPages()) {
    const file = fileFor(server.asciiPath(path));
    const page = render(server, { file, path, href }, sprite);
    pages.push({ page, entry: { path, file, indexable, lastmod } });
  }
  return pages;
}

/**
 * Renders the pages that answer 404.
 *
 * @param sprite address of the file of drawings
 */
export function renderMissing(server: Server, sprite: string) {
  const pages = [];
  for (const [kind, path] of Object.entries(server.missingPages)) {
    const file = kind === "default" ? "pages/404.html" : `pages/404-${kind}.html`;
    pages.push({ kind, page: render(server, { file, path, href: path }, sprite) });
  }
  return pages;
}

/** @param sprite address of the file of drawings */
function render(
  server: Server,
  { file, path, href }: { file: string; path: string; href: string },
  sprite: string,
): RenderedPage {
  const { head: bare, body: rendered } = server.render(href);
  // Only the page of a form can come back with errors.
  const head = path === "/fragebogen" ? bare.replace("<title>", "<title>{{ form.title_prefix }}") : bare;
  const body = rendered.replaceAll(SPRITE, `${sprite}#`);
  return { file, head, body, structuredData: server.structuredData(path) };
}

/** Writes a page and returns what the server's policy must allow for it. */
export async function writePage(
  out: string,
  { file, ...page }: RenderedPage,
  { assets, palette, styleOf, stringsOf }: PageAssets,
): Promise<Inline> {
  const bare = documentFor({ ...page, style: "" }, assets, palette);
  const html = OWN_TEXT.test(page.body) ? `${page.body}<div class="${OWN_TEXT_CLASS}">` : page.body;
  const document = documentFor({ ...page, style: styleOf(html, await stringsOf(bare)) }, assets, palette);
  await write(join(out, file), document);
  return inlineHashes(document);
}

/**
 * Writes private pages to a folder, which may use these names, and returns what the server's policy must allow for them. They share their rules, so that one
 * policy fits all of them.
 */
export async function writePrivatePages(
  out: string,
  folder: string,
  pages: { name: string; title: string; body: string }[],
  names: readonly string[],
  { assets, palette, styleOf, photos }: PageAssets & { photos: PhotoAssets },
): Promise<Inline> {
  const style = styleOf(pages.map(({ body }) => body).join(""), "");
  let inline = inlineHashes("");
  for (const page of pages) {
    const document = privateDocument({ ...page, style }, names, { ...assets, photos }, palette);
    await write(join(out, folder, `${page.name}.html`), document);
    inline = inlineHashes(document);
  }
  return inline;
}

/** Returns the file of a page: ASCII only, whatever its path holds. */
function fileFor(path: string) {
  return path === "/" ? "pages/index.html" : `pages/${encodeURIComponent(path.slice(1)).replaceAll("%2F", "/")}.html`;
}

export async function write(file: string, text: string) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
