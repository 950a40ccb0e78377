import { findFact } from "../facts/facts.ts";
import { IfSetting, useText } from "../../template/settings.tsx";

interface Props {
  criteria: string[];
  products: Product[];
}

/** Products side by side, with the criteria for comparing them. */
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

/** Discloses, next to links to a retailer, who earns from them. */
function Disclosure() {
  return (
    <IfSetting name="links.affiliate_partner">
      <p className="affiliate-link-note hint screen-only">
        Mit „Anzeige“ gekennzeichnete Links führen zu einem Händler, der uns für Käufe eine Provision zahlt. Für Sie
        ändert sich der Preis nicht.
      </p>
    </IfSetting>
  );
}

interface Product {
  name: string;
  /** Whom or what it suits. */
  suits: string;
  strengths: string[];
  weaknesses: string[];
  /** The facts about its price and its life. */
  price?: string;
  life?: string;
  /** The search term at the retailer. */
  search?: string;
}

/** A product, or a type of product: its strengths and weaknesses, and whom it suits. */
function ProductCard({ name, suits, strengths, weaknesses, price, life, search }: Product) {
  return (
    <div className="product-card panel" data-edge="top">
      <h3>{name}</h3>
      <dl className="product-card-facts">
        <Property term="Passt zu" text={suits} />
        {price && <Property term="Preis" text={figureText(price)} />}
        {life && <Property term="Hält" text={figureText(life)} />}
      </dl>
      <Points title="Stärken" points={strengths} sign="plus" />
      <Points title="Schwächen" points={weaknesses} sign="minus" />
      {search && <AffiliateLink query={search} />}
    </div>
  );
}

/** Returns a figure, marked if it is an estimate. */
function figureText(name: string): string {
  const { text, isEstimate } = findFact(name);
  return isEstimate ? `${text}, geschätzt` : text;
}

function Property({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt className="soft">{term}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function Points({ title, points, sign }: { title: string; points: string[]; sign: "plus" | "minus" }) {
  return (
    <>
      <p className="strong" data-above="4">
        {title}
      </p>
      <ul className="product-card-points" data-sign={sign}>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  );
}

/** A link to the retailer that pays a commission; nothing if the operator has no partner id. */
export function AffiliateLink({ query }: { query: string }) {
  const partner = useText("links.affiliate_partner");
  return (
    <IfSetting name="links.affiliate_partner">
      <p className="affiliate-link screen-only">
        <span className="affiliate-link-mark soft">Anzeige</span>{" "}
        <a
          className="semibold"
          href={`https://www.amazon.de/s?k=${encodeURIComponent(query)}&tag=${partner}`}
          rel="sponsored nofollow noopener"
          target="_blank"
        >
          {query} bei Amazon suchen <span className="affiliate-link-hint soft">(öffnet einen neuen Tab)</span>
        </a>
      </p>
    </IfSetting>
  );
}
