import { followedLink } from "../browser/followed-link.ts";
import { onReturn } from "../browser/lifecycle.ts";

/** Milliseconds for which a chosen tile is highlighted before the questionnaire opens. */
const SELECTION_DELAY = 200;

/** The address to open if the chosen one fails. */
const FALLBACK = "/fragebogen";

/** Highlights the chosen tile of the hero, then opens its address. */
export function tiles(list: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout>;

  const open = (address: string) => {
    try {
      window.location.assign(address);
    } catch {
      window.location.assign(FALLBACK);
    }
  };

  const unselect = () => {
    clearTimeout(timer);
    list.querySelectorAll("[data-selected]").forEach((tile) => tile.removeAttribute("data-selected"));
  };

  list.addEventListener("click", (event) => {
    const tile = followedLink(event);
    if (!tile) return;
    event.preventDefault();
    unselect();
    tile.dataset.selected = "";
    timer = setTimeout(() => open(tile.href), SELECTION_DELAY);
  });
  onReturn(unselect);
}
