import { useEffect, useRef } from "react";
import { useLocation } from "./router.ts";

/** Milliseconds before a page with a hash scrolls to its element, so that the page can settle first. */
const HASH_DELAY = 500;
/** Pixels that stay free above the element, for the fixed header. */
const HASH_OFFSET = 100;

/** State of a navigation that scrolls sooner than `HASH_DELAY`. */
export interface AnchorState {
  anchorDelay?: number;
}

/** Scrolls to the top on every change of the path or the query, and to the element that a hash names. */
export function useScrolling(): void {
  const { pathname, search, hash, key, state } = useLocation();
  const address = pathname + search;
  const shown = useRef(address);

  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    window.scrollTo({ top: 0, behavior: "instant" });
  }, [address]);

  useEffect(() => {
    if (!hash) return;
    const delay = (state as AnchorState | null)?.anchorDelay ?? HASH_DELAY;
    const timer = setTimeout(() => scrollToId(decodeURIComponent(hash.slice(1))), delay);
    return () => clearTimeout(timer);
  }, [hash, key, state]);
}

function scrollToId(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  const top = element.getBoundingClientRect().top + window.scrollY - HASH_OFFSET;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top, behavior: calm ? "instant" : "smooth" });
}
