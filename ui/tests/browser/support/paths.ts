/** A path for each kind of "not found" page. */
export const MISSING = ["/gibt-es-nicht", "/blog/gibt-es-nicht", "/blog/kategorie/gibt-es-nicht"] as const;

/** The fewest paths of a complete sitemap: nine fixed pages, 13 articles and their categories. */
const FEWEST = 30;

/** Returns the encoded path of every page in the sitemap. */
export async function sitemapPaths(origin: string): Promise<string[]> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
  if (paths.length < FEWEST) throw new Error(`The sitemap names ${paths.length} pages only.`);
  return paths;
}

/** Returns the path of every page, including those that are not in the sitemap. */
export async function everyPath(origin: string): Promise<string[]> {
  return [...(await sitemapPaths(origin)), "/danke", "/search", "/blog/kategorie/ratgeber", ...MISSING];
}

/** Category pages to visit: all share one template, so a few suffice. */
const CATEGORIES = 3;

/** Returns the paths of `everyPath` whose pages differ in more than their texts. */
export async function everyKindOfPage(origin: string): Promise<string[]> {
  const paths = await everyPath(origin);
  const alike = paths.filter((path) => /^\/blog\/kategorie\/(?!gibt-es-nicht)/.test(path)).slice(CATEGORIES);
  return paths.filter((path) => !alike.includes(path));
}

/** A sample of pages for slow tests, with each kind of screen. */
export const SAMPLES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/blog"] as const;
