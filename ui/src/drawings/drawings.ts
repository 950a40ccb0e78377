import generated from "../../generated/drawings.json" with { type: "json" };
import type { DrawingSource } from "./drawing.tsx";

const drawings: Record<string, DrawingSource> = generated;

export const drawingNames = Object.keys(drawings);

/**
 * Returns a drawing by its path in this folder, such as `buildings/industrial`. Only for pages that are rendered at build
 * time.
 */
export function findDrawing(name: string): DrawingSource {
  const found = drawings[name];
  if (!found) throw new Error(`There is no drawing ${name}.`);
  return found;
}
