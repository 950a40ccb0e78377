import { clickTarget } from "../routing/link-target.ts";
import type { Enhancement } from "./enhancement.ts";

/** Milliseconds for which a chosen tile is highlighted before the questionnaire opens (spec, section 9). */
const SELECTION_DELAY = 200;

/** The address to open when the chosen one fails. */
const FALLBACK = "/fragebogen";

/** Highlights the chosen tile of the hero, then opens its address. */
export const tiles: Enhancement = (list, { navigate }) => {
  let timer: ReturnType<typeof setTimeout>;

  const open = (address: string) => {
    try {
      navigate(address);
    } catch {
      window.location.assign(FALLBACK);
    }
  };

  const choose = (event: MouseEvent) => {
    const tile = event.target instanceof Element ? event.target.closest<HTMLElement>("a") : null;
    const address = clickTarget(event);
    if (!tile || !address) return;
    event.preventDefault();
    list.querySelectorAll("[data-selected]").forEach((other) => other.removeAttribute("data-selected"));
    tile.dataset.selected = "";
    clearTimeout(timer);
    timer = setTimeout(() => open(address), SELECTION_DELAY);
  };

  list.addEventListener("click", choose);
  return () => {
    clearTimeout(timer);
    list.removeEventListener("click", choose);
  };
};
