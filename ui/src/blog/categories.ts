import { articles, type Article } from "./articles.ts";
import { categorySlug, type Category } from "./category.ts";

/** Returns every category that has an article, the largest first, then by name. */
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
