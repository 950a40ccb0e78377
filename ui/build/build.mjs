/**
 * Builds the site: `build.mjs --content DIR --out DIR`, or only the generated modules that the type
 * checker needs: `build.mjs --content DIR --only content`. Exits 1 with one line on failure.
 */
import { mkdir, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BuildError } from "./fail.mjs";

const ui = dirname(dirname(fileURLToPath(import.meta.url)));

async function main() {
  const { content, out, only } = readArguments();
  const { generate } = await import("./content.mjs");
  await generate(content, ui);
  if (only === "content") return;

  process.env.NODE_ENV ||= "production";
  const { bundle } = await import("./bundle.mjs");
  const { writeSite } = await import("./site.mjs");
  await bundle(ui);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await writeSite(ui, out);
}

function readArguments() {
  const options = { content: { type: "string" }, out: { type: "string" }, only: { type: "string" } };
  const { values } = parseArgs({ options });
  if (!values.content) throw new BuildError("--content DIR is missing");
  if (!values.out && values.only !== "content") throw new BuildError("give --out DIR or --only content");
  return { content: resolve(values.content), out: values.out && resolve(values.out), only: values.only };
}

main().catch((error) => {
  const isOurs = error instanceof BuildError || process.env.TAUBENABWEHR_TRACE === undefined;
  console.error(`error: ${isOurs ? error.message : error.stack}`);
  process.exitCode = 1;
});
