import { useLayoutEffect, useRef } from "react";
import { keepBeginning, openEntry, startKeepingPositions } from "./positions.ts";
import { useLocation } from "./router.ts";

/** Milliseconds before a page scrolls to the element that the hash names, so that it can settle first. */
const HASH_DELAY = 500;
/** Pixels to leave free above the element, for the sticky header. */
const HASH_OFFSET = 100;

/** The state of a navigation that scrolls sooner than `HASH_DELAY`. */
export interface AnchorState {
  anchorDelay?: number;
}

interface Shown {
  readonly key: string;
  readonly pathname: string;
  readonly search: string;
  /** Whether its page was never left before, so that the hash decides where to scroll. */
  readonly isNew: boolean;
}

/**
 * Scrolls to the top whenever the path or the query changes, to the element that a hash names, and, when the visitor
 * goes back, forward or reloads, to where that page was left. Uses layout effects, so that a cross-fade shows the new
 * page at its final position.
 */
export function useScrolling(): void {
  const { pathname, search, hash, key: locationKey, state } = useLocation();
  const shown = useRef<Shown | null>(null);

  useLayoutEffect(startKeepingPositions, []);

  useLayoutEffect(() => {
    const { key, left } = openEntry();
    const before = shown.current;
    if (before?.key !== key) {
      // For the steps of the questionnaire: each is a page of its own to the visitor and begins at the top.
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

/** Returns the id that a hash names. Like browsers, it takes invalid percent-encoding literally. */
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

/** Scrolls to an element and focuses it, so that the next press of the Tab key continues from there. */
function scrollToId(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  element.closest("details")?.setAttribute("open", ""); // as browsers do when they load a page with a hash
  const top = element.getBoundingClientRect().top + window.scrollY - HASH_OFFSET;
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  scrollTo(top, isCalm ? "instant" : "smooth");
}
