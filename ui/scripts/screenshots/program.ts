import { existsSync } from "node:fs";
import { join } from "node:path";

/** Finds the executable that cargo has built: the release build, else the debug build. */
export function findProgram(): string {
  const target = process.env.CARGO_TARGET_DIR ?? join(import.meta.dirname, "../../../target");
  const found = ["release", "debug"].map((kind) => join(target, kind, "taubenabwehr")).find((path) => existsSync(path));
  if (!found) throw new Error("There is no executable: run cargo build, or set TAUBENABWEHR_BIN.");
  return found;
}
