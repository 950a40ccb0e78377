import drawings from "../../generated/form-drawings.json" with { type: "json" };
import { Drawing, type DrawingSource } from "./drawing.tsx";

const SOURCES: Readonly<Record<string, DrawingSource | undefined>> = drawings;

interface Props {
  /** An option's (`buildings/…`, `problems/…`, `locations/…`) or the thank-you page's (`scenes/thanks`). */
  readonly name: string;
  readonly className: string;
}

/** A drawing for the screens that are code in the browser; nothing, where there is none of that name. */
export function FormDrawing({ name, className }: Props) {
  const source = SOURCES[name];
  return source ? <Drawing source={source} className={className} /> : null;
}
