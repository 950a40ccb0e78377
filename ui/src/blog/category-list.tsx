import { Link } from "../routing/router.ts";
import { listCategories } from "./categories.ts";
import { categoryPath } from "./category.ts";

/** Lists every category with the number of its articles. */
export function CategoryList() {
  return (
    <ul className="category-list">
      {listCategories().map(({ name, slug, count }) => (
        <li key={slug}>
          <Link className="category-list-link" to={categoryPath(slug)}>
            {name} <span className="category-list-count">{count}</span>
            <span className="visually-hidden"> Artikel</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
