import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

interface Props {
  /** A drawing by its path in `src/drawings`, such as `services/nets`. */
  drawing: string;
  /** The caption, which says what the drawing shows. */
  text: string;
  /** The words and marks in it, for readers who cannot see them. Without it the caption says everything. */
  description?: string;
  /** Takes the text's full width, so that words in the drawing are as large as those around it. */
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
