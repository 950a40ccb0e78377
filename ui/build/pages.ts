import type { Inline } from "./inline.ts";
import type { Family } from "./styles.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkTemplate, documentFor, type Frame } from "./document.ts";
import { inlineHashes } from "./inline.ts";
import { privateDocument } from "./private.ts";

/** The bundled code that renders pages. */
export type Server = typeof import("../src/entry-server.tsx");

/** The address of the file of drawings as the code knows it (`src/drawings/sprite.tsx`). */
const SPRITE = "/assets/drawings.svg#";

export type PrivatePage = ReturnType<Server["renderPrivatePages"]>[number];
export interface RenderedPage {
  file: string;
  family: Family;
  head: string;
  body: string;
  structuredData: string[];
}

/** The styles and scripts that pages share. */
export interface PageAssets extends Frame {
  sheets: Record<Family, string>;
  /** Addresses of the script of every page, of the one that pages with an island load once they are painted, and of that of photos. */
  scripts: { app: string; island: string; photos: string };
}

/** What pages of the site have in their heads, and private ones do not. */
const SITE_LINKS = `<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="alternate" type="application/atom+xml" href="/blog/feed" title="Ratgeber Taubenabwehr">`;

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
  return { file, family: familyOf(path), head, body, structuredData: server.structuredData(path) };
}

function familyOf(path: string): Family {
  if (path === "/") return "home";
  return path === "/fragebogen" || path === "/danke" ? "questionnaire" : "reading";
}

/** Writes a page and returns what the server's policy must allow for it. */
export async function writePage(
  out: string,
  { file, family, head, body, structuredData }: RenderedPage,
  { sheets, scripts: { app, island }, ...frame }: PageAssets,
): Promise<Inline> {
  const scripts = [
    `<script type="module" src="${app}" data-island-src="${island}"></script>`,
    '<script type="application/json" id="settings">{{ client | tojson }}</script>',
    ...structuredData.map((json) => `<script type="application/ld+json">${json}</script>`),
  ];
  const page = { head: `${head}\n${SITE_LINKS}`, style: sheets[family], scripts: scripts.join("\n"), body };
  const document = documentFor(page, frame);
  checkTemplate(document);
  await write(join(out, file), document);
  return inlineHashes(document);
}

/** Writes the private pages of a family to a folder, and returns what the server's policy must allow for them. */
export async function writePrivatePages(
  out: string,
  folder: string,
  { family, pages }: { family: Family; pages: PrivatePage[] },
  { sheets, scripts, ...frame }: PageAssets,
): Promise<Inline> {
  let inline = inlineHashes("");
  for (const page of pages) {
    const document = privateDocument({ ...page, style: sheets[family] }, scripts.photos, frame);
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
