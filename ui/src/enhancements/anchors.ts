import { followedLink } from "../browser/followed-link.ts";
import { whenShown } from "../browser/shown.ts";
import { browserStorage } from "../browser/storage.ts";

/** Milliseconds before a page scrolls to the element that the hash names, so that it can settle first. */
const HASH_DELAY = 500;
/** As above, on a home page that a link to one of its sections has opened from another page. */
const DELAY_FROM_ANOTHER_PAGE = 300;

/** Where a link to a section of the home page keeps the hash until that page is open. */
export const ANCHOR_KEY = "anchor";

/** Scrolls to what the hash of the address or of a link names. Going back and forward is left to the browser. */
export function startAnchors(): void {
  document.addEventListener("click", follow);
  whenShown(arrive);
}

function arrive(): void {
  const storage = browserStorage("sessionStorage");
  const section = storage?.getItem(ANCHOR_KEY);
  storage?.removeItem(ANCHOR_KEY);
  if (section && window.location.pathname === "/") {
    setTimeout(() => {
      window.history.replaceState(window.history.state, "", section);
      scrollToHash(section);
    }, DELAY_FROM_ANOTHER_PAGE);
    return;
  }
  const { hash } = window.location;
  if (hash && !isReturn()) setTimeout(() => scrollToHash(hash), HASH_DELAY);
}

/** Says whether the page was open before: then the browser shows it where it was left. */
function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "reload" || navigation?.type === "back_forward";
}

function follow(event: MouseEvent): void {
  const link = followedLink(event);
  if (!link?.hash || link.matches(".skip-link")) return;
  const { pathname, search } = window.location;
  if (link.pathname === pathname && link.search === search) {
    event.preventDefault();
    window.history.pushState(window.history.state, "", link.hash);
    scrollToHash(link.hash);
  } else if (link.pathname === "/" && keep(link.hash)) {
    event.preventDefault();
    // Without the hash, with which the browser would begin at the section, and there would be no way to scroll.
    window.location.assign("/");
  }
}

/** Keeps the hash for the home page. Returns false where the browser stores nothing. */
function keep(hash: string): boolean {
  try {
    const storage = browserStorage("sessionStorage");
    storage?.setItem(ANCHOR_KEY, hash);
    return storage !== null;
  } catch {
    return false;
  }
}

/** Returns the id that a hash names. Like browsers, it takes invalid percent-encoding literally. */
function idIn(hash: string): string {
  const id = hash.slice(1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Scrolls to an element and focuses it, so that the next press of the Tab key continues from there. */
function scrollToHash(hash: string): void {
  const element = document.getElementById(idIn(hash));
  if (!element) return;
  element.closest("details")?.setAttribute("open", ""); // as browsers do when they load a page with a hash
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  // How much it leaves free for the header, styles/base.css says.
  element.scrollIntoView({ block: "start", behavior: isCalm ? "instant" : "smooth" });
}
