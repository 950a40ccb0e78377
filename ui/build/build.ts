/**
 * Builds the site: `tsx build.ts --content DIR --out DIR`, or only the generated modules that the type
 * checker needs: `tsx build.ts --content DIR --only content`. Exits 1 with one line on failure.
 */
import { mkdir, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BuildError, messageOf } from "./fail.ts";

const ui = dirname(dirname(fileURLToPath(import.meta.url)));

async function main() {
  const { content, out } = readArguments();
  const { generate } = await import("./content.ts");
  await generate(content, ui);
  if (out === null) return;

  process.env.NODE_ENV ||= "production";
  const { bundle } = await import("./bundle.ts");
  const { writeSite } = await import("./site.ts");
  const scripts = await bundle(ui);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await writeSite({ ui, out, scripts });
}

/** Returns the input and output folders; without `out` only the generated modules are written. */
function readArguments() {
  const text = { type: "string" as const };
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
