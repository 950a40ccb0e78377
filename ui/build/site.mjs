/** @import { Card } from "../src/meta/card-list.ts" */
/** @import { readHome } from "./content/home.mjs" */
/** @import { Assets } from "./document.mjs" */
/** @import { Drawing } from "./drawings/read.mjs" */
/** @import { Mail } from "./mails/read.mjs" */
/** @import { FindColour } from "./palette.mjs" */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeCards } from "./cards.mjs";
import { checkLinks } from "./check-links.mjs";
import { documentFor } from "./document.mjs";
import { drawingFile, drawingStyle } from "./drawings/style.mjs";
import { BuildError } from "./fail.mjs";
import { writeIcons } from "./icons.mjs";
import { readPalette } from "./palette.mjs";
import { privateDocument } from "./private.mjs";
import { startRasteriser } from "./rasterise.mjs";
import { webManifest } from "./web-manifest.mjs";

/** @typedef {typeof import("../src/entry-server.tsx")} Server the bundled code that renders pages */

/**
 * Writes the folder that the server embeds: pages, files, templates and the manifest that lists them. What is below
 * `private` is filled for one person and never served as it is.
 *
 * @param {string} ui
 * @param {string} out
 */
export async function writeSite(ui, out) {
  /** @type {Server} */
  const server = await import(pathToFileURL(join(ui, "dist/server/entry-server.js")).href);
  const palette = await readPalette(ui);
  const assets = await copyFiles(ui, out);
  await writePictures(ui, join(out, "files"), server, palette.light);

  /** @type {(file: string, path: string, href: string) => Promise<void>} */
  const writePage = async (file, path, href) => {
    const page = { ...server.render(href), structuredData: server.structuredData(path) };
    await write(join(out, file), documentFor(page, assets, palette));
  };
  const pages = [];
  for (const { path, href, indexable, lastmod } of server.listPages()) {
    const file = fileFor(server.asciiPath(path));
    await writePage(file, path, href);
    pages.push({ path, file, indexable, lastmod });
  }
  /** @type {Record<string, string>} */
  const missing = {};
  for (const [kind, path] of Object.entries(server.missingPages)) {
    const file = kind === "default" ? "pages/404.html" : `pages/404-${kind}.html`;
    await writePage(file, path, path);
    missing[kind] = file;
  }

  for (const page of server.renderPrivatePages())
    await write(join(out, `private/pages/${page.name}.html`), privateDocument(page, assets, palette));
  await writeMails(ui, join(out, "private/mails"));
  await write(join(out, "private/labels.json"), `${JSON.stringify(server.labels(), null, 1)}\n`);

  const manifest = { pages, not_found: missing, aliases: server.listAliases(), articles: server.listFeed() };
  const links = await readFile(join(ui, "generated/links.json"), "utf8");
  await checkLinks(out, JSON.parse(links), manifest);
  await write(join(out, "templates/site.webmanifest"), webManifest(palette.light));
  await write(join(out, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}

/**
 * Writes the parts of each mail as templates.
 *
 * @param {string} ui
 * @param {string} folder
 */
async function writeMails(ui, folder) {
  /** @type {Mail[]} */
  const mails = JSON.parse(await readFile(join(ui, "generated/mails.json"), "utf8"));
  for (const { name, subject, text, html } of mails) {
    await write(join(folder, `${name}.subject.txt`), subject);
    await write(join(folder, `${name}.txt`), text);
    await write(join(folder, `${name}.html`), html);
  }
}

/**
 * Writes what is drawn for the whole site: icons, social cards and the picture that stands in for a missing one.
 *
 * @param {string} ui
 * @param {string} files
 * @param {{ listCards: (claim: string) => Card[] }} server
 * @param {FindColour} colour
 */
async function writePictures(ui, files, { listCards }, colour) {
  /** @type {Record<string, Drawing>} */
  const drawings = JSON.parse(await readFile(join(ui, "generated/drawings.json"), "utf8"));
  /** @type {Awaited<ReturnType<typeof readHome>>} */
  const { hero } = JSON.parse(await readFile(join(ui, "generated/home.json"), "utf8"));
  const placeholder = drawings["pictures/placeholder"];
  if (!placeholder) throw new BuildError("there is no drawing pictures/placeholder");
  const css = await drawingStyle(ui);
  const rasteriser = await startRasteriser();
  await writeIcons(rasteriser, colour, files);
  await writeCards({ cards: listCards(hero.claim), hero, drawings, css, colour }, rasteriser, files);
  await writeFile(join(files, "platzhalter.svg"), drawingFile(placeholder, css));
}

/**
 * Copies hashed and static files; returns the addresses that pages link to.
 *
 * @param {string} ui
 * @param {string} out
 * @returns {Promise<Assets>}
 */
async function copyFiles(ui, out) {
  const assets = join(out, "files/assets");
  await cp(join(ui, "dist/site"), assets, { recursive: true });
  await cp(join(ui, "generated/assets"), assets, { recursive: true });
  const names = (await readdir(assets)).sort();
  /** @type {(pattern: RegExp) => string} */
  const one = (pattern) => {
    const found = names.filter((name) => pattern.test(name));
    if (found.length !== 1) throw new BuildError(`expected one asset ${pattern}, found ${found.length}`);
    return `/assets/${found[0]}`;
  };
  return {
    script: one(/^app\.\w+\.js$/),
    island: one(/^island\.\w+\.js$/),
    style: one(/^app\.\w+\.css$/),
    fonts: [one(/^besley-latin-600-normal\.\w+\.woff2$/), one(/^source-sans-3-latin-wght-normal\.\w+\.woff2$/)],
  };
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
async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
