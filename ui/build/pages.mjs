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

/** @typedef {{ forms: string, sprite: string }} Files addresses of the script of pages with forms, and of drawings */

/** @typedef {Omit<Page, "style"> & { file: string }} RenderedPage */

/**
 * What all pages are dressed in. `styleOf` returns the rules for some HTML and for the code that may run in it.
 *
 * @typedef {object} Dress
 * @property {Assets} assets
 * @property {{ light: FindColour, dark: FindColour }} palette
 * @property {(html: string, code: string) => string} styleOf
 * @property {(html: string) => Promise<string>} codeOf
 */

/**
 * Renders every page that answers 200, with what the manifest says of it.
 *
 * @param {Server} server
 * @param {Files} files
 */
export async function renderFound(server, files) {
  const pages = [];
  for (const { path, href, indexable, lastmod } of server.listPages()) {
    const file = fileFor(server.asciiPath(path));
    const page = await render(server, { file, path, href, isFound: true }, files);
    pages.push({ page, entry: { path, file, indexable, lastmod } });
  }
  return pages;
}

/**
 * Renders the pages that answer 404.
 *
 * @param {Server} server
 * @param {Files} files
 */
export async function renderMissing(server, files) {
  const pages = [];
  for (const [kind, path] of Object.entries(server.missingPages)) {
    const file = kind === "default" ? "pages/404.html" : `pages/404-${kind}.html`;
    pages.push({ kind, page: await render(server, { file, path, href: path, isFound: false }, files) });
  }
  return pages;
}

/**
 * @param {Server} server
 * @param {{ file: string, path: string, href: string, isFound: boolean }} place
 * @param {Files} files
 * @returns {Promise<RenderedPage>}
 */
async function render(server, { file, path, href, isFound }, { forms, sprite }) {
  const { head, body: rendered } = await server.render(href);
  const body = rendered.replaceAll(SPRITE, `${sprite}#`);
  const chunk = server.needsForms(href) ? forms : null;
  return { file, path: isFound ? href : null, head, body, structuredData: server.structuredData(path), chunk };
}

/**
 * Writes a page and returns what the server's policy must allow for it.
 *
 * @param {string} out
 * @param {RenderedPage} page
 * @param {Dress} dress
 * @returns {Promise<Inline>}
 */
export async function writePage(out, { file, ...page }, { assets, palette, styleOf, codeOf }) {
  const bare = documentFor({ ...page, style: "" }, assets, palette);
  const document = documentFor({ ...page, style: styleOf(page.body, await codeOf(bare)) }, assets, palette);
  await write(join(out, file), document);
  return inlineHashes(document);
}

/**
 * Writes the private pages and returns what the server's policy must allow for them. They share their rules, so that one
 * policy fits all of them.
 *
 * @param {string} out
 * @param {{ name: string, title: string, body: string }[]} pages
 * @param {Dress} dress
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
