import { useLayoutEffect, useRef } from "react";
import { keepBeginning, openEntry, startKeepingPositions } from "./positions.ts";
import { useLocation } from "./router.ts";

/** Milliseconds before a page with a hash scrolls to its element, so that the page can settle first. */
const HASH_DELAY = 500;
/** Pixels that stay free above the element, for the fixed header. */
const HASH_OFFSET = 100;

/** State of a navigation that scrolls sooner than `HASH_DELAY`. */
export interface AnchorState {
  anchorDelay?: number;
}

interface Shown {
  readonly key: string;
  readonly pathname: string;
  readonly search: string;
  /** Its page was not left before, so that the hash says where to scroll. */
  readonly isNew: boolean;
}

/**
 * Scrolls to the top on every change of the path or the query, to the element that a hash names, and, where the
 * visitor goes back or forward to another page or reloads it, to where that page was left. In layout effects, so that a
 * cross-fade shows the new page where it is to stand.
 */
export function useScrolling(): void {
  const { pathname, search, hash, key: locationKey, state } = useLocation();
  const shown = useRef<Shown | null>(null);

  useLayoutEffect(startKeepingPositions, []);

  useLayoutEffect(() => {
    const { key, left } = openEntry();
    const before = shown.current;
    if (before?.key !== key) {
      // The steps of the questionnaire: each is a question of its own, which begins at the top.
      const isOtherQuery = before?.pathname === pathname && before.search !== search;
      if (left !== undefined && !isOtherQuery) scrollTo(left);
      else if (before && (!hash || before.pathname !== pathname || isOtherQuery)) scrollTo(0);
      keepBeginning();
      shown.current = { key, pathname, search, isNew: left === undefined };
    }
    if (!hash || !shown.current?.isNew) return undefined;
    const delay = (state as AnchorState | null)?.anchorDelay ?? HASH_DELAY;
    const timer = setTimeout(() => scrollToId(idIn(hash)), delay);
    return () => clearTimeout(timer);
  }, [pathname, search, hash, locationKey, state]);
}

/** The id that a hash names. One that is no valid percent-encoding stands for itself, as it does for the browser. */
function idIn(hash: string): string {
  const id = hash.slice(1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function scrollTo(top: number, behavior: ScrollBehavior = "instant"): void {
  window.scrollTo({ top, behavior });
}

/** Scrolls, and moves the focus along: the next press of the Tab key goes on from there. */
function scrollToId(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  element.closest("details")?.setAttribute("open", ""); // as browsers do for the hash of a page that they load
  const top = element.getBoundingClientRect().top + window.scrollY - HASH_OFFSET;
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  scrollTo(top, isCalm ? "instant" : "smooth");
}
