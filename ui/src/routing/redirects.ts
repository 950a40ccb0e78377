/** Where a path leads instead: within the page, or by loading a new one from the server. */
export interface Redirect {
  to: string;
  by: "router" | "browser";
}

/**
 * The redirects that need no answer of the server: to a screen that is code, and to files, which no screen can show.
 * All others (old article ids, trailing slashes) show when the server is asked for the page.
 */
export function redirectFor(path: string): Redirect | null {
  const lowerCased = path.toLowerCase();
  if (lowerCased.endsWith(".xml")) return { to: lowerCased, by: "browser" };
  if (path !== "/sitemap" && /^\/sitemap[^/]*\/?$/.test(lowerCased)) return { to: "/sitemap.xml", by: "browser" };
  if (path !== "/fragebogen" && lowerCased === "/fragebogen") return { to: "/fragebogen", by: "router" };
  return null;
}
