/**
 * Returns the link within the site that a click follows in this tab. Returns null for everything else, such as other
 * sites, new tabs, downloads and clicks that were already handled.
 */
export function followedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented) return null;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== window.location.origin) return null;
  return link;
}
