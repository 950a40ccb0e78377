import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

interface Props {
  /** A drawing by its path in `src/drawings`, such as `services/nets`. */
  drawing: string;
  /** What it shows, as its caption. */
  text: string;
}

/** A drawing of a method between the paragraphs of a text. */
export function Figure({ drawing, text }: Props) {
  return (
    <figure className="figure">
      <Drawing source={findDrawing(drawing)} />
      <figcaption>{text}</figcaption>
    </figure>
  );
}
