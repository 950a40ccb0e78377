/**
 * Builds the site: `build.mjs --content DIR --out DIR`, or only the generated modules that the type
 * checker needs: `build.mjs --content DIR --only content`. Exits 1 with one line on failure.
 */
import { mkdir, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BuildError, messageOf } from "./fail.mjs";

const ui = dirname(dirname(fileURLToPath(import.meta.url)));

async function main() {
  const { content, out } = readArguments();
  const { generate } = await import("./content.mjs");
  await generate(content, ui);
  if (out === null) return;

  process.env.NODE_ENV ||= "production";
  const { bundle } = await import("./bundle.mjs");
  const { writeSite } = await import("./site.mjs");
  await bundle(ui);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await writeSite(ui, out);
}

/** Returns the folders to read and to write; without `out` only the generated modules are written. */
function readArguments() {
  const text = { type: /** @type {const} */ ("string") };
  const { content, out, only } = parseArgs({ options: { content: text, out: text, only: text } }).values;
  if (!content) throw new BuildError("--content DIR is missing");
  if (only === "content") return { content: resolve(content), out: null };
  if (!out) throw new BuildError("give --out DIR or --only content");
  return { content: resolve(content), out: resolve(out) };
}

main().catch((error) => {
  const isOurs = error instanceof BuildError || process.env.TAUBENABWEHR_TRACE === undefined;
  console.error(`error: ${isOurs ? messageOf(error) : error.stack}`);
  process.exitCode = 1;
});
