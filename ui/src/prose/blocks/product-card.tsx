import { AffiliateLink } from "./affiliate-link.tsx";
import { Rating } from "./rating.tsx";

export interface Product {
  name: string;
  /** Out of 10. */
  rating: number;
  /** Whom or what it suits. */
  suits: string;
  strengths: string[];
  weaknesses: string[];
  /** Properties by their names. */
  facts?: Record<string, string>;
  /** What to look for at the retailer. */
  search?: string;
}

/** A product, or a type of one: how it did, what speaks for and against it, and whom it suits. */
export function ProductCard({ name, rating, suits, strengths, weaknesses, facts = {}, search }: Product) {
  return (
    <div className="product">
      <h3>{name}</h3>
      <Rating value={rating} />
      <dl className="product-facts">
        {Object.entries({ "Passt zu": suits, ...facts }).map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Points title="Stärken" points={strengths} sign="plus" />
      <Points title="Schwächen" points={weaknesses} sign="minus" />
      {search && <AffiliateLink query={search} />}
    </div>
  );
}

function Points({ title, points, sign }: { title: string; points: string[]; sign: "plus" | "minus" }) {
  return (
    <>
      <p className="product-points-title">{title}</p>
      <ul className="product-points" data-sign={sign}>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  );
}
