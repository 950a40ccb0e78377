/**
 * The development loop (`scripts/dev`): the site with the real server, rebuilt and reloaded whenever something below
 * `content/` or `ui/src/` changes. What a change does not touch is left as it is.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { BuildEvent, PackagedBundle } from "@parcel/types";
import { type Event, subscribe } from "@parcel/watcher";
import { bundlerOf, describe } from "./bundle.ts";
import { generate } from "./content.ts";
import { serveAnew } from "./dev-server.ts";
import { messageOf } from "./fail.ts";
import { madeBefore } from "./made-before.ts";
import { writeSite } from "./site.ts";
import { styleImports } from "./style-imports.ts";

const ui = resolve(import.meta.dirname, "..");
const content = resolve(ui, "../content");
const [program = "", folder = ""] = process.argv.slice(2);
const bundles = join(ui, "dist");
const out = join(folder, "site");

/** What `content.ts` reads beside `content/`. Parcel watches what it makes of it, and all other code. */
const READ_FOR_CONTENT = /^(?:drawings|inline|styles)\//;

process.env.NODE_ENV = "development";
process.env.TZ = "Europe/Berlin";

/** Whether there is a site. */
let isServing = false;

/** Ends when all that was asked for so far is done: of two changes in a row the second waits, and has the last word. */
let done: Promise<unknown> = Promise.resolve();
let isEnding = false;
const inTurn = (run: () => Promise<void>) => (done = done.then(() => (isEnding ? undefined : run())));

const make = await madeBefore(ui, join(folder, "made-before"));
const server = await serveAnew(program, folder);
await readTexts();
const watches = [
  await subscribe(content, () => void inTurn(readTexts)),
  await subscribe(join(ui, "src"), async (_, events) => {
    if (events.some(isReadForContent) || (await hasOtherStyleSheets())) void inTurn(readTexts);
  }),
];
const bundling = await bundlerOf(ui, { isWatching: true }).watch((error, event) => {
  if (error) console.error(describe(error));
  else if (event) void inTurn(() => afterBundling(event));
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    isEnding = true;
    await Promise.all([...watches, bundling].map((watch) => watch.unsubscribe()));
    // Native code that is still at work when the process exits aborts it.
    await done;
    await server.stop();
    process.exit(0);
  });

async function readTexts(): Promise<void> {
  await step("texts", async () => {
    const changed = await generate(content, ui);
    // No code imports them, so that the bundler has nothing to do.
    if (changed.includes("mails.json") && isServing) void inTurn(show);
  });
}

function isReadForContent({ path }: Event): boolean {
  return READ_FOR_CONTENT.test(relative(join(ui, "src"), path));
}

/** Whether one has come or gone since they were listed. */
async function hasOtherStyleSheets(): Promise<boolean> {
  return (await styleImports(join(ui, "src"))) !== (await readFile(join(ui, "generated/styles.css"), "utf8"));
}

async function afterBundling(event: BuildEvent): Promise<void> {
  if (event.type === "buildFailure") {
    console.error(describe({ diagnostics: event.diagnostics }));
    return;
  }
  await removeOthers(event.bundleGraph.getBundles());
  await show();
}

async function show(): Promise<void> {
  await step("site", async () => {
    await writeSite({ ui, out, bundles, make, stylesOf: (sheet) => () => sheet });
    await server.show();
    isServing = true;
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
