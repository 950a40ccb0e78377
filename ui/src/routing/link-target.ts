import { isPrivatePath } from "../inquiry/private-page.ts";

/** Tells whether a path belongs to the server alone: a file, or a page that no script may fetch. */
export function isServersOwn(path: string): boolean {
  return isPrivatePath(path) || /\.[a-z0-9]+$|^\/blog\/feed$/i.test(path);
}

/**
 * Returns the address within the site that a click on a link leads to. Returns null if the browser should follow the
 * link (other sites, new tabs, downloads, files, anchors on the same page) or if the click was already handled.
 */
export function clickTarget(event: MouseEvent): string | null {
  if (event.defaultPrevented) return null;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = new URL(link.href, window.location.href);
  if (origin !== window.location.origin || isServersOwn(pathname)) return null;
  if (hash && pathname === window.location.pathname && search === window.location.search) return null;
  return pathname + search + hash;
}
