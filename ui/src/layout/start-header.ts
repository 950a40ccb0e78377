import { onReturn } from "../browser/returning.ts";

/** Pixels of scrolling after which the header turns opaque. */
const OPAQUE_AFTER = 10;

const CROSS = "M5 5l14 14M19 5L5 19";

/** Makes the header turn opaque, and its menu open and close (`layout/header.tsx`). */
export function startHeader(): void {
  const header = document.querySelector<HTMLElement>(".header");
  const button = header?.querySelector<HTMLElement>(".header-menu-button");
  const icon = button?.querySelector("path");
  if (!header || !button || !icon) return;
  followScrolling(header);

  const bars = icon.getAttribute("d") ?? "";
  const isOpen = () => header.dataset.open === "true";
  const setOpen = (open: boolean) => {
    header.dataset.open = String(open);
    button.ariaExpanded = String(open);
    button.ariaLabel = open ? "Menü schließen" : "Menü öffnen";
    icon.setAttribute("d", open ? CROSS : bars);
  };
  const close = () => setOpen(false);
  const dismiss = () => {
    close();
    button.focus();
  };

  button.addEventListener("click", () => setOpen(!isOpen()));
  header.addEventListener("click", ({ target }) => {
    if (!isOpen() || !(target instanceof Element)) return;
    // The shade around an open menu belongs to the header, so a tap on it has the header as its target.
    if (target === header) dismiss();
    else if (target.closest("a")) close();
  });
  header.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !header.contains(relatedTarget)) close();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && isOpen()) dismiss();
  });
  // The back/forward cache keeps the page as it was left, and a visitor who comes back expects a closed menu.
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
