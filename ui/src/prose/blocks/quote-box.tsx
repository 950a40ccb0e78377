import type { ReactNode } from "react";

/** Words to copy, such as a sample letter, set apart from the article's own text. */
export function QuoteBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className="quote-box panel" data-enhancement="copy">
      <p className="label">{label}</p>
      <blockquote>{children}</blockquote>
      <button type="button" className="button-quiet button-small screen-only" data-above="4" data-needs-script="">
        Text kopieren
      </button>
    </figure>
  );
}
