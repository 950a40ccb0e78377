/**
 * The development loop (`scripts/dev`): the site with the real server, made anew and shown again whenever something below
 * `content/` or `ui/src/` changes. What a change does not touch is left as it is.
 */
import { watch } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { BuildEvent, PackagedBundle } from "@parcel/types";
import { bundlerOf, describe } from "./bundle.ts";
import { generate } from "./content.ts";
import { serveAnew } from "./dev-server.ts";
import { messageOf } from "./fail.ts";
import { madeBefore } from "./made-before.ts";
import { writeSite } from "./site.ts";

const ui = resolve(import.meta.dirname, "..");
const content = resolve(ui, "../content");
const [program = "", folder = ""] = process.argv.slice(2);
const bundles = join(ui, "dist");
const out = join(folder, "site");

/** What `content.ts` reads beside `content/`. Parcel watches what it makes of it, and all other code. */
const READ_FOR_CONTENT = /^(?:drawings|inline|styles)\//;

/** Milliseconds in which editors write all files of one change. */
const SETTLED_MS = 20;

process.env.NODE_ENV = "development";
process.env.TZ = "Europe/Berlin";

const make = await madeBefore(ui, join(folder, "made-before"));
const server = await serveAnew(program, folder);
await layFolders();
await step("texts", () => generate(content, ui));
let timer: NodeJS.Timeout | undefined;
const generateSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => void step("texts", () => generate(content, ui)), SETTLED_MS);
};
watch(content, { recursive: true }, generateSoon);
watch(join(ui, "src"), { recursive: true }, (event, name) => {
  // A style sheet that comes or goes changes the list of them.
  if (READ_FOR_CONTENT.test(name ?? "") || (event === "rename" && name?.endsWith(".css"))) generateSoon();
});
const { unsubscribe } = await bundlerOf(ui, { isWatching: true }).watch((error, event) => {
  if (error) console.error(describe(error));
  else if (event) void afterBundling(event);
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await Promise.all([unsubscribe(), server.stop()]);
    process.exit(0);
  });

/** Lays what the server reads where it looks for it (`src/embedded/folder.rs`): the names are those of `build.rs`. */
async function layFolders(): Promise<void> {
  const texts = join(folder, "texts");
  await rm(texts, { recursive: true, force: true });
  await mkdir(texts, { recursive: true });
  for (const [name, made] of [
    ["pages", "pages"],
    ["documents", "templates"],
    ["mails", "private/mails"],
    ["private", "private/pages"],
  ] as const)
    await symlink(join(out, made), join(texts, name));
}

async function afterBundling(event: BuildEvent): Promise<void> {
  if (event.type === "buildFailure") {
    console.error(describe({ diagnostics: event.diagnostics }));
    return;
  }
  await removeOthers(event.bundleGraph.getBundles());
  await step("site", async () => {
    await writeSite({ ui, out, bundles, make });
    await server.show();
  });
}

/** Removes what earlier builds of this process have written and this one has not: names hold hashes. */
async function removeOthers(written: readonly PackagedBundle[]): Promise<void> {
  const names = new Set(written.map(({ filePath }) => basename(filePath)));
  for (const name of await readdir(join(bundles, "site")))
    if (!names.has(name)) await rm(join(bundles, "site", name), { force: true });
}

async function step(name: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now();
  try {
    await run();
    console.log(`${name}: ${Math.round(performance.now() - start)} ms`);
  } catch (error) {
    // The last site stays up; the next change makes another.
    console.error(`error: ${messageOf(error)}`);
  }
}
