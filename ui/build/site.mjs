import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeCards } from "./cards.mjs";
import { checkLinks } from "./check-links.mjs";
import { documentFor } from "./document.mjs";
import { drawingFile, drawingStyle } from "./drawings/style.mjs";
import { BuildError } from "./fail.mjs";
import { writeIcons } from "./icons.mjs";
import { rasteriser } from "./rasterise.mjs";
import { webManifest } from "./web-manifest.mjs";

/** Writes the folder that the server embeds: pages, files, templates and the manifest that lists them. */
export async function writeSite(ui, out) {
  const server = await import(pathToFileURL(join(ui, "dist/server/entry-server.js")).href);
  const assets = await copyFiles(ui, out);
  await writePictures(ui, join(out, "files"), server);

  const pages = [];
  for (const { href, ...page } of server.listPages()) {
    const file = fileFor(server.asciiPath(page.path));
    await writePage(out, file, server, { path: page.path, href, isFound: true }, assets);
    pages.push({ path: page.path, file, indexable: page.indexable, lastmod: page.lastmod });
  }
  const missing = {};
  for (const [kind, path] of Object.entries(server.missingPages)) {
    missing[kind] = kind === "default" ? "pages/404.html" : `pages/404-${kind}.html`;
    await writePage(out, missing[kind], server, { path, href: path, isFound: false }, assets);
  }

  const manifest = { pages, not_found: missing, aliases: server.listAliases(), articles: server.listFeed() };
  const links = await readFile(join(ui, "generated/links.json"), "utf8");
  await checkLinks(out, JSON.parse(links), manifest);
  await write(join(out, "templates/site.webmanifest"), webManifest());
  await write(join(out, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Writes what is drawn for the whole site: icons, social cards and the picture that stands in for a missing one. */
async function writePictures(ui, files, server) {
  const generated = async (name) => JSON.parse(await readFile(join(ui, `generated/${name}.json`), "utf8"));
  const [drawings, home] = await Promise.all([generated("drawings"), generated("home")]);
  const css = await drawingStyle(ui);
  const render = await rasteriser();
  await writeIcons(render, files);
  await writeCards({ cards: server.listCards(home.hero.claim), hero: home.hero, drawings, css }, render, files);
  await writeFile(join(files, "platzhalter.svg"), drawingFile(drawings["pictures/platzhalter"], css));
}

/** Copies hashed and static files; answers the addresses that pages link to. */
async function copyFiles(ui, out) {
  const assets = join(out, "files/assets");
  await cp(join(ui, "dist/site"), assets, { recursive: true });
  await cp(join(ui, "generated/assets"), assets, { recursive: true });
  const names = (await readdir(assets)).sort();
  const one = (pattern) => {
    const found = names.filter((name) => pattern.test(name));
    if (found.length !== 1) throw new BuildError(`expected one asset ${pattern}, found ${found.length}`);
    return `/assets/${found[0]}`;
  };
  return {
    script: one(/^app\.\w+\.js$/),
    forms: one(/^forms\.\w+\.js$/),
    style: one(/^app\.\w+\.css$/),
    fonts: [one(/^besley-latin-600-normal\.\w+\.woff2$/), one(/^source-sans-3-latin-wght-normal\.\w+\.woff2$/)],
  };
}

async function writePage(out, file, server, { path, href, isFound }, assets) {
  const { head, body } = await server.render(href);
  const chunk = server.needsForms(href) ? assets.forms : null;
  const page = documentFor({
    path: isFound ? href : null,
    head,
    body,
    structuredData: server.structuredData(path),
    assets,
    chunk,
  });
  await write(join(out, file), page);
}

/** The file of a page: ASCII only, whatever its path holds. */
function fileFor(path) {
  return path === "/" ? "pages/index.html" : `pages/${encodeURIComponent(path.slice(1)).replaceAll("%2F", "/")}.html`;
}

async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
