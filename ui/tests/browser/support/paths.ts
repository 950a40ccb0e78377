/** One path of each kind of page that says that something does not exist (contract, "HTTP"). */
export const MISSING = ["/gibt-es-nicht", "/blog/gibt-es-nicht", "/blog/kategorie/gibt-es-nicht"] as const;

/** Fewer than this, and the sitemap was not read: ten fixed pages less one, 13 articles, their categories. */
const FEWEST = 30;

/** The encoded paths of every page that is in the sitemap. */
export async function sitemapPaths(origin: string): Promise<string[]> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
  if (paths.length < FEWEST) throw new Error(`The sitemap names ${paths.length} pages only.`);
  return paths;
}

/** Every page that an address alone opens, those that search engines do not list included. */
export async function everyPath(origin: string): Promise<string[]> {
  return [...(await sitemapPaths(origin)), "/danke", ...MISSING];
}

/** The only pages on which a sample of each kind of screen stands: for tests that take long. */
export const SAMPLES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/blog"] as const;
