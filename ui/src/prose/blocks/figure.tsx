import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

interface Props {
  /** A drawing by its path in `src/drawings`, such as `services/nets`. */
  drawing: string;
  /** What it shows, as its caption. */
  text: string;
  /** What the words and marks in it say, for those who cannot see them. Without it the caption says everything. */
  description?: string;
  /** Takes the text's whole width, so that words in the drawing are as large as those around it. */
  isWide?: boolean;
}

/** A drawing between the paragraphs of a text: a method, or a diagram with words in it. */
export function Figure({ drawing, text, description, isWide }: Props) {
  return (
    <figure className="figure card" data-wide={isWide ? "" : undefined}>
      <Drawing source={findDrawing(drawing)} title={description} />
      <figcaption className="hint">{text}</figcaption>
    </figure>
  );
}
