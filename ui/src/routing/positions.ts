import { browserStorage } from "../browser/storage.ts";

export const POSITIONS_KEY = "scrollPositions";

/** The scroll position at which each page was left, by the key of its history entry. For this tab only. */
const positions: Record<string, number> = {};
let open = "";

/** Keeps track of where pages are left. Returns a function that stops it. */
export function startKeepingPositions(): () => void {
  const keep = () => {
    positions[open] = window.scrollY;
  };
  // The browser itself scrolls a page that it loads or takes from its cache: it need not wait for code.
  const leave = () => {
    window.history.scrollRestoration = "auto";
    write();
  };
  const takeOver = () => {
    window.history.scrollRestoration = "manual";
  };
  Object.assign(positions, read());
  takeOver();
  window.addEventListener("scroll", keep, { passive: true });
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", takeOver);
  return () => {
    window.removeEventListener("scroll", keep);
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("pageshow", takeOver);
  };
}

/**
 * Returns the open history entry: its key, and in `left` the position at which its page was left (undefined on the
 * first visit). Entries that the browser made, such as the first one and those of anchors, get a key here.
 */
export function openEntry(): { key: string; left: number | undefined } {
  const { history } = window;
  const state = history.state as { key?: string } | null;
  open = state?.key ?? Math.random().toString(36).slice(2);
  if (!state?.key) history.replaceState({ ...state, key: open }, "");
  return { key: open, left: positions[open] };
}

/** Notes the initial position of the open entry's page, which may never be scrolled. */
export function keepBeginning(): void {
  positions[open] ??= window.scrollY;
}

function read(): unknown {
  try {
    return JSON.parse(browserStorage("sessionStorage")?.getItem(POSITIONS_KEY) ?? "{}");
  } catch {
    return null; // then pages begin at their top
  }
}

function write(): void {
  try {
    browserStorage("sessionStorage")?.setItem(POSITIONS_KEY, JSON.stringify(positions));
  } catch {
    // The storage is full. The browser still restores the pages that it loads.
  }
}
