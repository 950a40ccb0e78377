import drawings from "../../generated/choice-drawings.json" with { type: "json" };
import { Drawing, type DrawingSource } from "../drawings/drawing.tsx";

const SOURCES: Readonly<Record<string, DrawingSource | undefined>> = drawings;

/** The drawing of an option, if it has one: `buildings/…`, `problems/…` or `locations/…`. */
export function ChoiceDrawing({ name }: { readonly name: string }) {
  const source = SOURCES[name];
  return source ? <Drawing source={source} className="choice-drawing" /> : null;
}
