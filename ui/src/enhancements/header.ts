import { onReturn } from "../browser/lifecycle.ts";

/** Pixels of scrolling after which the header turns opaque. */
const OPAQUE_AFTER = 10;

/** Makes the header turn opaque, and closes its menu where the browser does not (`layout/header.tsx`). */
export function startHeader(): void {
  const header = document.querySelector<HTMLElement>(".header");
  if (!header) return;
  followScrolling(header);
  const menu = header.querySelector<HTMLElement>("[popover]");
  if (menu && "popover" in menu) closeMenu(header, menu);
}

/** Closes the menu when a link in it is followed, Tab leaves it, or the screen has room for its links. */
function closeMenu(header: HTMLElement, menu: HTMLElement): void {
  const close = () => menu.hidePopover();
  menu.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) close();
  });
  header.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !header.contains(relatedTarget)) close();
  });
  window.matchMedia("(width >= 48rem)").addEventListener("change", close);
  // The back/forward cache keeps the page as it was left, but returning visitors expect a closed menu.
  window.addEventListener("pagehide", close);
}

function followScrolling(header: HTMLElement): void {
  const look = () => {
    header.dataset.scrolled = String(window.scrollY > OPAQUE_AFTER);
  };
  look();
  window.addEventListener("scroll", look, { passive: true });
  onReturn(look);
}
