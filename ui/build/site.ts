import type { Card } from "../src/meta/card-list.ts";
import type { readHome } from "./content/home.ts";
import type { Drawing } from "./drawings/read.ts";
import type { Mail } from "./mails/read.ts";
import type { Inline } from "./inline.ts";
import type { Server } from "./pages.ts";
import type { Make } from "./made-before.ts";
import type { FindColour } from "./palette.ts";
import { createHash } from "node:crypto";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeCards } from "./cards.ts";
import { checkLinks } from "./check-links.ts";
import { withAttributes } from "./drawings/sprite.ts";
import { drawingFile, drawingStyle } from "./drawings/style.ts";
import { BuildError } from "./fail.ts";
import { writeFonts } from "./fonts.ts";
import { writeIcons } from "./icons.ts";
import { DESK_NAMES, PAGE_NAMES } from "./mails/names.ts";
import { pageScripts } from "./page-scripts.ts";
import { renderFound, renderMissing, write, writePage, writePrivatePages } from "./pages.ts";
import { readPalette } from "./palette.ts";
import { startRasteriser } from "./rasterise.ts";
import { pageStyles } from "./styles.ts";
import { webManifest } from "./web-manifest.ts";

export interface Places {
  ui: string;
  out: string;
  /** Where the bundler has written. */
  bundles: string;
  make: Make;
  /** Takes the rules of each page from the style sheet; the development loop leaves all of them to each page. */
  stylesOf?: typeof pageStyles;
}

/** Counts the builds of this process, each of which imports the rendering code again. */
let builds = 0;

/**
 * Writes the folder that the server embeds: pages, files, templates and the manifest that lists them. What is below
 * `private` is filled for one person and never served as it is.
 */
export async function writeSite({ ui, out, bundles, make, stylesOf = pageStyles }: Places) {
  builds += 1;
  const server: Server = await import(`${pathToFileURL(join(bundles, "server/entry-server.js")).href}?${builds}`);
  const palette = await readPalette(ui);
  const assets = join(out, "files/assets");
  const { scripts, photos, sheet } = await copyFiles(ui, join(bundles, "site"), assets);
  await writePictures(ui, join(out, "files"), server, palette.light, make);

  const sprite = await writeSprite(ui, assets, server.renderSprite());
  const found = renderFound(server, sprite);
  const missing = renderMissing(server, sprite);
  const privatePages = server.renderPrivatePages();
  const deskPages = server.renderDeskPages();
  const stringsOf = pageScripts(assets);
  const texts = [...found, ...missing].map(({ page }) => page.body);
  const scriptStrings = await stringsOf(
    [...Object.values(scripts), photos.script].map((path) => `<script src="${path}"></script>`).join(""),
  );
  const fonts = await writeFonts(
    assets,
    [...texts, ...[...privatePages, ...deskPages].map(({ body }) => body), scriptStrings],
    make,
  );
  const pageAssets = {
    assets: { ...scripts, fonts: fonts.paths },
    palette,
    styleOf: stylesOf(fonts.css + sheet),
    stringsOf,
  };

  const pages = [];
  for (const { page, entry } of found) pages.push({ ...entry, inline: await writePage(out, page, pageAssets) });
  const notFound: Record<string, { file: string; inline: Inline }> = {};
  for (const { kind, page } of missing)
    notFound[kind] = { file: page.file, inline: await writePage(out, page, pageAssets) };
  const ofPrivatePages = { ...pageAssets, photos };
  const privateManifest = {
    inline: await writePrivatePages(out, "private/pages", privatePages, PAGE_NAMES, ofPrivatePages),
  };
  const deskManifest = { inline: await writePrivatePages(out, "private/desk", deskPages, DESK_NAMES, ofPrivatePages) };
  await writeMails(ui, join(out, "private/mails"));
  await write(join(out, "private/report-map.json"), JSON.stringify(server.reportMap()));

  const aliases = server.listAliases();
  const manifest = {
    pages,
    not_found: notFound,
    private: privateManifest,
    desk: deskManifest,
    aliases,
    articles: server.listFeed(),
  };
  const links = await readFile(join(ui, "generated/links.json"), "utf8");
  await checkLinks(out, JSON.parse(links), manifest);
  await write(join(out, "templates/site.webmanifest"), webManifest(palette.light));
  await write(join(out, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Writes the parts of each mail as templates. */
async function writeMails(ui: string, folder: string) {
  const mails: Mail[] = JSON.parse(await readFile(join(ui, "generated/mails.json"), "utf8"));
  for (const { name, subject, text, html } of mails) {
    await write(join(folder, `${name}.subject.txt`), subject);
    await write(join(folder, `${name}.txt`), text);
    await write(join(folder, `${name}.html`), html);
  }
}

/** Writes what is drawn for the whole site: icons, social cards and the placeholder for a missing picture. */
async function writePictures(
  ui: string,
  files: string,
  { listCards }: { listCards: (claim: string, plainClaim: string) => Card[] },
  colour: FindColour,
  make: Make,
) {
  const drawings: Record<string, Drawing> = JSON.parse(await readFile(join(ui, "generated/drawings.json"), "utf8"));
  const { hero }: Awaited<ReturnType<typeof readHome>> = JSON.parse(
    await readFile(join(ui, "generated/home.json"), "utf8"),
  );
  const placeholder = drawings["pictures/placeholder"];
  if (!placeholder) throw new BuildError("there is no drawing pictures/placeholder");
  const css = await drawingStyle(ui);
  const rasteriser = await startRasteriser();
  await writeIcons(rasteriser, colour, files, make);
  await writeCards(
    { cards: listCards(hero.claim, hero.plain_claim), hero, drawings, css, colour },
    rasteriser,
    files,
    make,
  );
  await writeFile(join(files, "platzhalter.svg"), drawingFile(placeholder, css));
}

/** Writes the file of drawings that pages refer to, and returns its address. */
async function writeSprite(ui: string, assets: string, svg: string) {
  const sheets = [await drawingStyle(ui), await readFile(join(ui, "src/map/map.css"), "utf8")];
  return writeHashed(assets, "drawings.svg", withAttributes(svg, sheets));
}

/** Writes a file with its hash in its name, and returns its address. */
async function writeHashed(assets: string, name: string, text: string) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const hashed = name.replace(".", `.${hash}.`);
  await writeFile(join(assets, hashed), text);
  return `/assets/${hashed}`;
}

/**
 * Copies hashed and static files. Returns the addresses of the scripts, what only pages with photos load, and the style
 * sheet, of which each page gets its part.
 */
async function copyFiles(ui: string, bundles: string, assets: string) {
  const names = (await readdir(bundles)).sort();
  const one: (pattern: RegExp) => string = (pattern) => {
    const [name, ...others] = names.filter((name) => pattern.test(name));
    if (!name || others.length > 0) throw new BuildError(`expected one asset ${pattern}, found ${name} ${others}`);
    return name;
  };
  const style = one(/^app\.\w+\.css$/);
  await cp(bundles, assets, { recursive: true, filter: (file) => basename(file) !== style });
  await cp(join(ui, "generated/assets"), assets, { recursive: true });
  return {
    scripts: { script: `/assets/${one(/^app\.\w+\.js$/)}`, island: `/assets/${one(/^island\.\w+\.js$/)}` },
    photos: { script: `/assets/${one(/^photos\.\w+\.js$/)}`, sheet: `/assets/${one(/^photos\.\w+\.css$/)}` },
    sheet: withAddresses(await readFile(join(bundles, style), "utf8"), names),
  };
}

/** Returns a style sheet that names other files by where they are served, for inlining. */
function withAddresses(sheet: string, names: string[]) {
  return sheet.replace(/url\("?([\w.-]+)"?\)/g, (whole, name) =>
    names.includes(name) ? `url(/assets/${name})` : whole,
  );
}
