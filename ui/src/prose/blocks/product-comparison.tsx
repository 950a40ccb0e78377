import { IfSetting } from "../../template/settings.tsx";
import { ProductCard, type Product } from "./product-card.tsx";

interface Props {
  /** What they are compared by. */
  criteria: string[];
  products: Product[];
}

/** Products beside each other, with what they are compared by. */
export function ProductComparison({ criteria, products }: Props) {
  return (
    <div className="product-comparison prose-wide">
      <p className="measure">
        <strong>Verglichen nach:</strong> {criteria.join(", ")}
      </p>
      <ul className="product-comparison-list">
        {products.map((product) => (
          <li key={product.name}>
            <ProductCard {...product} />
          </li>
        ))}
      </ul>
      {products.some(({ search }) => search) && <Disclosure />}
    </div>
  );
}

/** Says beside links to a retailer who earns from them. */
function Disclosure() {
  return (
    <IfSetting name="links.affiliate_partner">
      <p className="affiliate-link-note hint">
        Mit „Anzeige“ gekennzeichnete Links führen zu einem Händler, der uns für Käufe eine Provision zahlt. Für Sie
        ändert sich der Preis nicht.
      </p>
    </IfSetting>
  );
}
