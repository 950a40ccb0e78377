export interface Category {
  name: string;
  slug: string;
  count: number;
}

/** Lower case, spaces become hyphens; umlauts stay (spec, section 3). */
export function categorySlug(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

/** The address of a category's page, ready for a link. */
export function categoryPath(slug: string): string {
  return `/blog/kategorie/${encodeURIComponent(slug)}`;
}
