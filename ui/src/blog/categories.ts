import { type Article, articles } from "./articles.ts";
import generated from "../../generated/categories.json" with { type: "json" };

/** Returns every category with an article, the largest first, then by name. */
export function listCategories(all: Article[] = articles): Category[] {
  const counts = new Map<string, number>();
  for (const name of all.flatMap((article) => article.categories)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, slug: categorySlug(name), count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, "de"));
}

export function findCategory(slug: string | undefined): Category | undefined {
  return listCategories().find((category) => category.slug === slug);
}

export function articlesIn(category: Category, all: Article[] = articles): Article[] {
  return all.filter((article) => article.categories.includes(category.name));
}

export interface Category {
  name: string;
  slug: string;
  count: number;
}

/** Turns a name into a slug: lower case, with hyphens for spaces, keeping umlauts. */
export function categorySlug(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

/** Returns the encoded path of a category's page. */
export function categoryPath(slug: string): string {
  return `/blog/kategorie/${encodeURIComponent(slug)}`;
}

/**
 * Returns a category's texts from `content/categories.toml`, which depend on keywords in its name, and what its link to
 * the questionnaire preselects. Search engines may index categories with their own introduction.
 */
export function categoryText(name: string) {
  const { categories, texts, other } = generated;
  const found = texts.find(({ keywords }) => keywords.some((keyword) => name.toLowerCase().includes(keyword)));
  const { heading, intro } = found ?? other;
  const own = categories.find((one) => one.name === name);
  const { about = "", introduction, problem, property_type: propertyType } = own ?? {};
  const named = (text: string) => text.replace("{name}", name);
  return { heading: named(heading), intro: named(intro), about, introduction, problem, propertyType };
}
