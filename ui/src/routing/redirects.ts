/** The target of a redirect, and whether the router follows it or the browser loads it from the server. */
export interface Redirect {
  to: string;
  by: "router" | "browser";
}

/**
 * Returns the redirects that are known without asking the server: those to a screen that is code, and to files, which
 * no screen can show. All others (old article ids, trailing slashes) come with the server's answer.
 */
export function redirectFor(path: string): Redirect | null {
  const lowerCased = path.toLowerCase();
  if (lowerCased.endsWith(".xml")) return { to: lowerCased, by: "browser" };
  if (path !== "/sitemap" && /^\/sitemap[^/]*\/?$/.test(lowerCased)) return { to: "/sitemap.xml", by: "browser" };
  if (path !== "/fragebogen" && lowerCased === "/fragebogen") return { to: "/fragebogen", by: "router" };
  return null;
}
