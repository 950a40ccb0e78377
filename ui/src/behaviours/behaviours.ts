import type { Behaviour, Tools } from "./behaviour.ts";
import { carousel } from "./carousel.ts";
import { copy } from "./copy.ts";
import { newsletter } from "./newsletter.ts";
import { picture } from "./picture.ts";
import { tiles } from "./tiles.ts";

/** By the name that stands in an element's `data-behaviour`. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = { carousel, copy, newsletter, picture, tiles };

/** Starts the behaviours of all elements that ask for one; the answer ends them. */
export function startBehaviours(root: HTMLElement, tools: Tools): () => void {
  const ends = [...root.querySelectorAll<HTMLElement>("[data-behaviour]")].map((element) =>
    BEHAVIOURS[element.dataset.behaviour ?? ""]?.(element, tools),
  );
  return () => ends.forEach((end) => end?.());
}
