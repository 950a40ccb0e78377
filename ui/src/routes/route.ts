/** A page with a fixed path. Articles and categories add theirs (`meta/page-list.ts`). */
export interface Route {
  path: string;
  /** The page's name in titles, lists and breadcrumbs. */
  title: string;
  description: string;
  keywords: string[];
  /** In the sitemap, and not `noindex`. */
  indexable: boolean;
  /** Which list of the sitemap page and the footer names it. */
  group: "main" | "legal" | "hidden";
  /** YYYY-MM-DD, where the date of the last change is known. */
  lastmod?: string | null;
}
