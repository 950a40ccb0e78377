import { browserStorage } from "../inquiry/storage.ts";

export const POSITIONS_KEY = "scrollPositions";

/** By the key of a history entry: the pixels that its page was scrolled by when it was left. For this tab only. */
const positions: Record<string, number> = {};
let open = "";

/** Keeps where pages are left until the visit ends; the answer stops it. */
export function startKeepingPositions(): () => void {
  const keep = () => {
    positions[open] = window.scrollY;
  };
  // A page that the browser loads, or takes out of its cache, is scrolled by the browser: it need not wait for us.
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
 * Tells which history entry is open. The browser makes some by itself, the first one and those of anchors: they get a
 * key as well. `left` is where its page was left, undefined on the first visit.
 */
export function openEntry(): { key: string; left: number | undefined } {
  const { history } = window;
  const state = history.state as { key?: string } | null;
  open = state?.key ?? Math.random().toString(36).slice(2);
  if (!state?.key) history.replaceState({ ...state, key: open }, "");
  return { key: open, left: positions[open] };
}

/** To be called when the page of the open entry stands where it begins: it may never be scrolled. */
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
    // A full storage: the browser still restores what it loads.
  }
}
