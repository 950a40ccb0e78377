/**
 * The development loop (`scripts/dev`): runs the site on the real server, and rebuilds and reloads it whenever a file in
 * `content/`, `ui/src/` or `ui/public/` changes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { subscribe } from "@parcel/watcher";
import { browserScripts, bundlerOf, describe } from "./bundle.ts";
import { generate } from "./content.ts";
import { messageOf } from "./fail.ts";
import { writeSite } from "./site.ts";

const ui = resolve(import.meta.dirname, "..");
const content = resolve(ui, "../content");
const [program = "", folder = ""] = process.argv.slice(2);
const out = join(folder, "site");

/** Sources that the bundler does not read itself: files in these folders of `ui/src` or with this extension. */
const READ_BY_BUILD = /\/src\/(?:drawings|inline|styles)\/|\.css$/;

/** Reloads a page that is older than the site being served; the address of this script contains the page's build. */
const RELOAD = `setInterval(async () => {
  const answer = await fetch("/assets/build.json", { cache: "no-store" }).catch(() => null);
  if (answer?.ok && "?" + (await answer.text()) !== new URL(import.meta.url).search) location.reload();
}, 300);
`;

process.env.NODE_ENV = "development";
process.env.TZ = "Europe/Berlin";

/** The address for developers; port 0 takes any free port, and keeps it. */
let listen = `127.0.0.1:${process.env.PORT ?? 8080}`;
let server: ChildProcess | undefined;
let builds = 0;
/** The browser's scripts from the last complete bundle. */
let scripts: string[] = [];

/** Resolves once everything requested so far is done: of two changes in a row the second waits, and has the last word. */
let done: Promise<unknown> = Promise.resolve();
let isEnding = false;
const inTurn = (run: () => Promise<void>) => (done = done.then(() => (isEnding ? undefined : step(run))));

await step(readTexts);
const watches = [
  await subscribe(content, () => void inTurn(readTexts)),
  await subscribe(join(ui, "src"), (_, events) => {
    if (events.some(({ path }) => READ_BY_BUILD.test(path))) void inTurn(readTexts);
  }),
];
const bundling = await bundlerOf(ui).watch((error, event) => {
  if (error) console.error(describe(error));
  else if (event?.type === "buildFailure") console.error(describe({ diagnostics: event.diagnostics }));
  else if (event) {
    scripts = browserScripts(event);
    void inTurn(show);
  }
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    isEnding = true;
    await Promise.all([...watches, bundling].map((watch) => watch.unsubscribe()));
    // Exiting while native code is still running aborts the process.
    await done;
    await endServer();
    process.exit(0);
  });

/** Turns texts and drawings into modules. The bundler notices changed ones, but does not read mails and style sheets. */
async function readTexts() {
  await generate(content, ui);
  if (server) await show();
}

async function show() {
  builds += 1;
  await writeSite({ ui, out, scripts });
  const assets = join(out, "files/assets");
  await writeFile(join(assets, "reload.js"), RELOAD);
  await writeFile(join(assets, "build.json"), String(builds));
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true }))
    if (/(?<!mails\/.*)\.html$/.test(join(entry.parentPath, entry.name)))
      await appendFile(
        join(entry.parentPath, entry.name),
        `<script type="module" src="/assets/reload.js?${builds}"></script>`,
      );
  await startServer();
}

/** Starts the server on the site. It reads everything at startup, so each build needs a new process. */
async function startServer() {
  await endServer();
  const flags = ["serve", "--listen", listen, "--data-dir", join(folder, "data"), "--rate-limit", "0"];
  const env = { ...process.env, TAUBENABWEHR_DEV_FOLDER: out };
  const started = spawn(program, flags, { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = once(started, "exit").then(() => Promise.reject(new Error("the server ended")));
  const [address = ""] = await Promise.race([listening(started), ended]);
  if (!server) console.log(`Open ${address}`);
  started.stdout.resume();
  listen = new URL(address).host;
  server = started;
}

/** Waits for the line in which the server prints its address. */
async function listening({ stdout }: ChildProcess): Promise<string[]> {
  if (stdout)
    for await (const line of createInterface(stdout)) {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (found) return found;
    }
  return [];
}

async function endServer() {
  if (!server || server.exitCode !== null) return;
  const ended = once(server, "exit");
  // A graceful shutdown would wait for open connections. The store survives this like a power cut.
  server.kill("SIGKILL");
  await ended;
}

/** Runs a step. If it fails, the last site stays up until the next change. */
async function step(run: () => Promise<void>) {
  const start = performance.now();
  try {
    await run();
    console.log(`built in ${Math.round(performance.now() - start)} ms`);
  } catch (error) {
    console.error(`error: ${messageOf(error)}`);
  }
}
