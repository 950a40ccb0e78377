import { categoryPath, listCategories } from "./categories.ts";

/** Lists every category with the number of its articles. */
export function CategoryList() {
  return (
    <ul className="category-list cluster">
      {listCategories().map(({ name, slug, count }) => (
        <li key={slug}>
          <a className="category-list-link touch" href={categoryPath(slug)}>
            <span>{name}</span> <span className="category-list-count">{count}</span>
            <span className="visually-hidden"> Artikel</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
