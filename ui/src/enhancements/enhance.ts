import { guarded } from "../browser/guarded.ts";
import { settings } from "./consent/settings.ts";
import { carousel } from "./carousel.ts";
import { copy } from "./copy.ts";
import { newsletter } from "./newsletter.ts";
import { picture } from "./picture.ts";
import { table } from "./table.ts";
import { tiles } from "./tiles.ts";

/** Adds behaviour to an element that is complete and usable without it. */
type Enhancement = (element: HTMLElement) => void;

/** Enhancements by the value of `data-enhancement`. */
const ENHANCEMENTS: Readonly<Record<string, Enhancement>> = {
  carousel,
  copy,
  newsletter,
  picture,
  settings,
  table,
  tiles,
};

/** Enhances all elements below `root` that have `data-enhancement`. */
export function enhance(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-enhancement]")) {
    guarded(() => ENHANCEMENTS[element.dataset.enhancement ?? ""]?.(element));
  }
}
