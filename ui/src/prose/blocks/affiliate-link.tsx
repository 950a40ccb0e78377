import { IfSetting, useText } from "../../template/settings.tsx";

/** A link to the retailer that pays a commission; nothing where the operator has no partner id. */
export function AffiliateLink({ query }: { query: string }) {
  const partner = useText("links.affiliate_partner");
  return (
    <IfSetting name="links.affiliate_partner">
      <p className="affiliate-link">
        <span className="affiliate-link-mark">Anzeige</span>{" "}
        <a
          href={`https://www.amazon.de/s?k=${encodeURIComponent(query)}&tag=${partner}`}
          rel="sponsored nofollow noopener"
          target="_blank"
        >
          {query} bei Amazon suchen <span className="affiliate-link-hint">(öffnet einen neuen Tab)</span>
        </a>
      </p>
    </IfSetting>
  );
}
