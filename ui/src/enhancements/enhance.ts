import { carousel } from "./carousel.ts";
import { copy } from "./copy.ts";
import type { Enhancement, Tools } from "./enhancement.ts";
import { newsletter } from "./newsletter.ts";
import { picture } from "./picture.ts";
import { tiles } from "./tiles.ts";

/** The enhancements by the value of `data-enhancement`. */
const ENHANCEMENTS: Readonly<Record<string, Enhancement>> = { carousel, copy, newsletter, picture, tiles };

/** Enhances all elements below `root` that have `data-enhancement`. Returns a function that undoes this. */
export function enhance(root: HTMLElement, tools: Tools): () => void {
  const undos = [...root.querySelectorAll<HTMLElement>("[data-enhancement]")].map((element) =>
    ENHANCEMENTS[element.dataset.enhancement ?? ""]?.(element, tools),
  );
  return () => undos.forEach((undo) => undo?.());
}
