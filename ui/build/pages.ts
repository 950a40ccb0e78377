import type { Family } from "./styles.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkTemplate, documentFor, type Frame } from "./document.ts";
import { type Inline, inlineHashes } from "./inline.ts";
import { privateDocument } from "./private.ts";

/** The bundled code that renders pages. */
export type Server = typeof import("../src/entry-server.tsx");

export type PrivatePage = ReturnType<Server["renderPrivatePages"]>[number];

/** The styles and scripts that pages share. */
export interface PageAssets extends Frame {
  sheets: Record<Family, string>;
  /** Addresses of the script of every page, of the one that islands load once the page is painted, and of the photo script. */
  scripts: { app: string; island: string; photos: string };
}

/** Elements in the head of the site's pages, but not of private ones. */
const SITE_LINKS = `<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="alternate" type="application/atom+xml" href="/blog/feed" title="Ratgeber Taubenabwehr">`;

/** Writes every page that answers 200, and returns their entries for the manifest. */
export async function writeFound(out: string, server: Server, assets: PageAssets) {
  const entries = [];
  for (const { path, href, indexable, lastmod } of server.listPages()) {
    const file = fileFor(server.asciiPath(path));
    entries.push({
      path,
      file,
      indexable,
      lastmod,
      inline: await writePage(join(out, file), path, href, server, assets),
    });
  }
  return entries;
}

/** Writes the pages that answer 404, and returns their entries by kind. */
export async function writeMissing(out: string, server: Server, assets: PageAssets) {
  const entries: Record<string, { file: string; inline: Inline }> = {};
  for (const [kind, path] of Object.entries(server.missingPages)) {
    const file = kind === "default" ? "pages/404.html" : `pages/404-${kind}.html`;
    entries[kind] = { file, inline: await writePage(join(out, file), path, path, server, assets) };
  }
  return entries;
}

/** Writes the page at a path, which links write as `href`, and returns what the server's policy must allow for it. */
async function writePage(
  file: string,
  path: string,
  href: string,
  server: Server,
  { sheets, scripts: { app, island }, ...frame }: PageAssets,
): Promise<Inline> {
  const { head, body } = server.render(href);
  // Only a page with a form can come back with errors.
  const title = path === "/fragebogen" ? "<title>{{ form.title_prefix }}" : "<title>";
  const scripts = [
    `<script type="module" src="${app}" data-island-src="${island}"></script>`,
    '<script type="application/json" id="settings">{{ client | tojson }}</script>',
    ...server.structuredData(path).map((json) => `<script type="application/ld+json">${json}</script>`),
  ];
  const page = {
    head: `${head.replace("<title>", title)}\n${SITE_LINKS}`,
    style: sheets[familyOf(path)],
    scripts: scripts.join("\n"),
    body,
  };
  const document = documentFor(page, frame);
  checkTemplate(document);
  await write(file, document);
  return inlineHashes(document);
}

function familyOf(path: string): Family {
  if (path === "/") return "home";
  return path === "/fragebogen" || path === "/danke" ? "questionnaire" : "reading";
}

/** Writes the private pages of a family to a folder, and returns what the server's policy must allow for each of them. */
export async function writePrivatePages(
  folder: string,
  family: Family,
  pages: PrivatePage[],
  { sheets, scripts, ...frame }: PageAssets,
): Promise<Inline> {
  let inline = inlineHashes("");
  for (const page of pages) {
    const document = privateDocument({ ...page, style: sheets[family] }, scripts.photos, frame);
    await write(join(folder, `${page.name}.html`), document);
    inline = inlineHashes(document);
  }
  return inline;
}

/** Returns a page's file, whose name is ASCII whatever the path contains. */
function fileFor(path: string) {
  return path === "/" ? "pages/index.html" : `pages/${encodeURIComponent(path.slice(1)).replaceAll("%2F", "/")}.html`;
}

export async function write(file: string, text: string) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
