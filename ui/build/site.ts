import type { Card } from "../src/pages/page-list.ts";
import type { readHome } from "./content/home.ts";
import type { Drawing } from "./drawings/read.ts";
import type { Mail } from "./mails/read.ts";
import type { Server } from "./pages.ts";
import type { FindColour } from "./palette.ts";
import { cp, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeCards } from "./cards.ts";
import { checkLinks } from "./check-links.ts";
import { drawingFile, drawingStyle } from "./drawings/style.ts";
import { BuildError } from "./fail.ts";
import { write, writeFound, writeMissing, writePrivatePages } from "./pages.ts";
import { readPalette } from "./palette.ts";
import { startRasteriser } from "./rasterise.ts";
import { embedFonts, writeStyles } from "./styles.ts";
import { webManifest } from "./web-manifest.ts";

export interface Places {
  ui: string;
  out: string;
  /** The bundler's output for the browser. */
  scripts: readonly string[];
}

/** Counts the builds of this process, each of which imports the rendering code anew. */
let builds = 0;

/**
 * Writes the folder that the server embeds: pages, files, templates and the manifest that lists them. Files below
 * `private` are filled in for one person and never served unchanged.
 */
export async function writeSite({ ui, out, scripts: bundled }: Places) {
  builds += 1;
  const server: Server = await import(`${pathToFileURL(join(ui, "dist/server/entry-server.js")).href}?${builds}`);
  const palette = await readPalette(ui);
  const files = join(out, "files");
  const assets = join(files, "assets");
  await cp(join(ui, "public"), files, { recursive: true });
  const scripts = await copyScripts(bundled, assets);
  await cp(join(ui, "generated/assets"), assets, { recursive: true });
  await writePictures(ui, files, server, palette.light);
  const styles = await writeStyles(ui, assets);

  const shared = { ...styles, scripts, palette };
  const manifest = {
    pages: await writeFound(out, server, shared),
    not_found: await writeMissing(out, server, shared),
    private: {
      inline: await writePrivatePages(join(out, "private/pages"), "private", server.renderPrivatePages(), shared),
    },
    desk: { inline: await writePrivatePages(join(out, "private/desk"), "desk", server.renderDeskPages(), shared) },
    aliases: server.listAliases(),
    articles: server.listFeed(),
  };
  await writeMails(ui, join(out, "private/mails"));
  await write(join(out, "private/report-map.json"), JSON.stringify(server.reportMap()));
  await write(join(out, "private/fonts.css"), await embedFonts(join(ui, "src/styles")));
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

/** Writes the drawings for the whole site: social cards and the placeholder for a missing picture. */
async function writePictures(
  ui: string,
  files: string,
  { listCards }: { listCards: (claim: string, plainClaim: string) => Card[] },
  colour: FindColour,
) {
  const drawings: Record<string, Drawing> = JSON.parse(await readFile(join(ui, "generated/drawings.json"), "utf8"));
  const { hero }: Awaited<ReturnType<typeof readHome>> = JSON.parse(
    await readFile(join(ui, "generated/home.json"), "utf8"),
  );
  const placeholder = drawings["pictures/placeholder"];
  if (!placeholder) throw new BuildError("there is no drawing pictures/placeholder");
  const css = await drawingStyle(ui);
  const logo = await readFile(join(files, "favicon.svg"), "utf8");
  const cards = listCards(hero.claim, hero.plain_claim);
  await writeCards({ cards, hero, drawings, css, logo, colour }, await startRasteriser(), files);
  await writeFile(join(files, "platzhalter.svg"), drawingFile(placeholder, css));
}

/** Copies the scripts, whose names already contain hashes. Returns the addresses of those that pages use. */
async function copyScripts(paths: readonly string[], assets: string) {
  for (const path of paths) await cp(path, join(assets, basename(path)));
  const one = (entry: string) => {
    const [path, ...others] = paths.filter((path) => basename(path).startsWith(`${entry}.`));
    if (!path || others.length > 0) throw new BuildError(`expected one script ${entry}, found ${path} ${others}`);
    return `/assets/${basename(path)}`;
  };
  return { app: one("app"), island: one("island"), photos: one("photos") };
}
