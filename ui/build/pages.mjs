/** @import { Assets, Page } from "./document.mjs" */
/** @import { Inline } from "./inline.mjs" */
/** @import { FindColour } from "./palette.mjs" */
/** @import { Server } from "./site.mjs" */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { documentFor } from "./document.mjs";
import { inlineHashes } from "./inline.mjs";
import { privateDocument } from "./private.mjs";

/** The address of the file of drawings as the code knows it (`src/drawings/sprite.tsx`). */
const SPRITE = "/assets/drawings.svg#";

/** A page that may hold a text of the operator's own, and the class that the server gives to tables in it. */
const OWN_TEXT = /\{\{ site\.own\./;
const OWN_TEXT_CLASS = "table-scroll";

/** @typedef {Omit<Page, "style"> & { file: string }} RenderedPage */

/**
 * The styles, scripts and colours that all pages share. `styleOf` returns the rules for some HTML and for the strings of
 * the code that may run in it, which `stringsOf` reads.
 *
 * @typedef {object} PageAssets
 * @property {Assets} assets
 * @property {{ light: FindColour, dark: FindColour }} palette
 * @property {(html: string, strings: string) => string} styleOf
 * @property {(html: string) => Promise<string>} stringsOf
 */

/**
 * Renders every page that answers 200, with what the manifest says of it.
 *
 * @param {Server} server
 * @param {string} sprite address of the file of drawings
 */
export function renderFound(server, sprite) {
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
 * @param {Server} server
 * @param {string} sprite address of the file of drawings
 */
export function renderMissing(server, sprite) {
  const pages = [];
  for (const [kind, path] of Object.entries(server.missingPages)) {
    const file = kind === "default" ? "pages/404.html" : `pages/404-${kind}.html`;
    pages.push({ kind, page: render(server, { file, path, href: path }, sprite) });
  }
  return pages;
}

/**
 * @param {Server} server
 * @param {{ file: string, path: string, href: string }} place
 * @param {string} sprite address of the file of drawings
 * @returns {RenderedPage}
 */
function render(server, { file, path, href }, sprite) {
  const { head: bare, body: rendered } = server.render(href);
  // Only the page of a form can come back with errors.
  const head = path === "/fragebogen" ? bare.replace("<title>", "<title>{{ form.title_prefix }}") : bare;
  const body = rendered.replaceAll(SPRITE, `${sprite}#`);
  return { file, head, body, structuredData: server.structuredData(path) };
}

/**
 * Writes a page and returns what the server's policy must allow for it.
 *
 * @param {string} out
 * @param {RenderedPage} page
 * @param {PageAssets} pageAssets
 * @returns {Promise<Inline>}
 */
export async function writePage(out, { file, ...page }, { assets, palette, styleOf, stringsOf }) {
  const bare = documentFor({ ...page, style: "" }, assets, palette);
  const html = OWN_TEXT.test(page.body) ? `${page.body}<div class="${OWN_TEXT_CLASS}">` : page.body;
  const document = documentFor({ ...page, style: styleOf(html, await stringsOf(bare)) }, assets, palette);
  await write(join(out, file), document);
  return inlineHashes(document);
}

/**
 * Writes the private pages and returns what the server's policy must allow for them. They share their rules, so that one
 * policy fits all of them.
 *
 * @param {string} out
 * @param {{ name: string, title: string, body: string }[]} pages
 * @param {PageAssets} pageAssets
 * @returns {Promise<Inline>}
 */
export async function writePrivatePages(out, pages, { assets, palette, styleOf }) {
  const style = styleOf(pages.map(({ body }) => body).join(""), "");
  let inline = inlineHashes("");
  for (const page of pages) {
    const document = privateDocument({ ...page, style }, assets, palette);
    await write(join(out, `private/pages/${page.name}.html`), document);
    inline = inlineHashes(document);
  }
  return inline;
}

/**
 * Returns the file of a page: ASCII only, whatever its path holds.
 *
 * @param {string} path
 */
function fileFor(path) {
  return path === "/" ? "pages/index.html" : `pages/${encodeURIComponent(path.slice(1)).replaceAll("%2F", "/")}.html`;
}

/**
 * @param {string} file
 * @param {string} text
 */
export async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
