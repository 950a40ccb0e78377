import { type Article, articles } from "./articles.ts";
import generated from "../../generated/categories.json" with { type: "json" };

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

/** The heading and introduction of a category's page, and what its articles are about. */
interface CategoryText {
  heading: string;
  intro: string;
  about: string;
  /** What its link to the questionnaire chooses in advance. */
  problem: string | null;
  propertyType: string | null;
}

/** Returns the texts of `content/categories.toml` for a category, chosen by keywords in its name. */
export function categoryText(name: string): CategoryText {
  const { categories, texts, other } = generated;
  const found = texts.find(({ keywords }) => keywords.some((keyword) => name.toLowerCase().includes(keyword)));
  const { heading, intro } = found ?? other;
  const {
    about = "",
    problem = null,
    property_type: propertyType = null,
  } = categories.find((one) => one.name === name) ?? {};
  return {
    heading: heading.replace("{name}", name),
    intro: intro.replace("{name}", name),
    about,
    problem,
    propertyType,
  };
}
