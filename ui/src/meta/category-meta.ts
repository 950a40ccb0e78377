import { categoryText } from "../blog/category-texts.ts";
import { categoryPath, type Category } from "../blog/category.ts";
import { cardPath } from "./card.ts";
import type { PageMeta } from "./page-meta.ts";

/** Returns the metadata of a category's page. It is apart, because the browser's code knows no texts of categories. */
export function categoryMeta(category: Category): PageMeta {
  return {
    path: categoryPath(category.slug),
    title: `${category.name}: alle Artikel`,
    description: `Alle Artikel der Kategorie ${category.name}. ${categoryText(category.name).about}`,
    keywords: [category.name, "Taubenabwehr", "Hamburg"],
    indexable: true,
    type: "website",
    image: cardPath(`/blog/kategorie/${category.slug}`),
  };
}
