import drawings from "../../generated/form-drawings.json" with { type: "json" };
import { Drawing, type DrawingSource } from "./drawing.tsx";

const SOURCES: Readonly<Record<string, DrawingSource | undefined>> = drawings;

interface Props {
  /**
   * The drawing of an option (`buildings/…`, `problems/…`, `locations/…`) or of the thank-you page (`scenes/thanks`).
   */
  readonly name: string;
  readonly className: string;
}

/** Renders a drawing on a screen that runs in the browser, or nothing if there is none of that name. */
export function FormDrawing({ name, className }: Props) {
  const source = SOURCES[name];
  return source ? <Drawing source={source} className={className} /> : null;
}
