export interface Category {
  name: string;
  slug: string;
  count: number;
}

/** Turns a name into a slug: lower case, with hyphens for spaces; umlauts stay. */
export function categorySlug(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

/** Returns the encoded path of a category's page. */
export function categoryPath(slug: string): string {
  return `/blog/kategorie/${encodeURIComponent(slug)}`;
}
