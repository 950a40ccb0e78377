import generated from "../../generated/drawings.json" with { type: "json" };
import files from "../../generated/drawing-files.json" with { type: "json" };
import type { DrawingSource } from "./drawing.tsx";

const drawings: Record<string, DrawingSource> = generated;
const addresses: Record<string, string> = files;

/**
 * Returns a drawing by its path in this folder, such as `buildings/industrial`. Only for pages that are rendered at build
 * time.
 */
export function findDrawing(name: string): DrawingSource {
  const found = drawings[name];
  if (!found) throw new Error(`There is no drawing ${name}.`);
  return found;
}

/** Returns the address of a drawing that has a file of its own. */
export function findDrawingFile(name: string): string {
  const found = addresses[name];
  if (!found) throw new Error(`The drawing ${name} has no file.`);
  return found;
}
