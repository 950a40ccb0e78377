import type { Diagnostic } from "@parcel/diagnostic";
import type { BuildSuccessEvent } from "@parcel/types";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Parcel } from "@parcel/core";
import { BuildError, messageOf } from "./fail.ts";

/**
 * Bundles the browser's and the server's code in one Parcel run into `dist/site` and `dist/server`. Both come from one
 * module graph, so that prerendered pages and running code cannot differ. Returns the browser's scripts.
 */
export async function bundle(ui: string) {
  await rm(join(ui, "dist"), { recursive: true, force: true });
  try {
    return browserScripts(await bundlerOf(ui).run());
  } catch (error) {
    throw new BuildError(describe(error));
  }
}

/** Returns the paths of the browser's scripts; a watching bundler leaves those of earlier builds beside them. */
export function browserScripts({ bundleGraph }: Pick<BuildSuccessEvent, "bundleGraph">) {
  return bundleGraph.getBundles().flatMap(({ filePath }) => (/\/site\/[^/]+$/.test(filePath) ? [filePath] : []));
}

export function bundlerOf(ui: string) {
  const isProduction = process.env.NODE_ENV === "production";
  return new Parcel({
    entries: ui,
    config: join(ui, "parcelrc.json"),
    mode: "production", // scope hoisting in both profiles; NODE_ENV alone chooses React's build
    env: { NODE_ENV: process.env.NODE_ENV },
    defaultTargetOptions: { shouldOptimize: isProduction, shouldScopeHoist: true, sourceMaps: false },
    shouldDisableCache: true, // a warm cache survives configuration changes
    shouldAutoInstall: false, // otherwise Parcel edits package.json
    logLevel: "error",
  });
}

/** Formats Parcel's diagnostics as lines `file:line: message`. */
export function describe(error: unknown) {
  const { diagnostics } = error as { diagnostics?: Pick<Diagnostic, "message" | "codeFrames">[] };
  return (diagnostics ?? [{ message: messageOf(error), codeFrames: null }])
    .map(({ message, codeFrames }) => {
      const frame = codeFrames?.[0];
      const line = frame?.codeHighlights?.[0]?.start.line ?? 1;
      return frame?.filePath ? `${frame.filePath}:${line}: ${message}` : message;
    })
    .join("\n");
}
