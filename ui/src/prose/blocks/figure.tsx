import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

interface Props {
  /** A drawing by its path in `src/drawings`, such as `services/nets`. */
  drawing: string;
  /** What it shows, as its caption. */
  text: string;
}

/** Drawings with words and measures, which need the width to be read. */
const EXPLAINED = "explained/";

/** A drawing between the paragraphs of a text. */
export function Figure({ drawing, text }: Props) {
  return (
    <figure className="figure" data-wide={drawing.startsWith(EXPLAINED) || undefined}>
      <Drawing source={findDrawing(drawing)} />
      <figcaption>{text}</figcaption>
    </figure>
  );
}
