import type { ReactNode } from "react";

interface Props {
  /** What it is, such as a sample letter. */
  label?: string;
  /** Who said it. */
  source?: string;
  children: ReactNode;
}

/** Words set apart from the article's own: someone's, who is named, or a sample to copy. */
export function QuoteBox({ label, source, children }: Props) {
  return (
    <figure className="quote-box panel" data-enhancement={source ? undefined : "copy"}>
      {label && <p className="label">{label}</p>}
      <blockquote>{children}</blockquote>
      {source && (
        <figcaption className="hint" data-above="3">
          {source}
        </figcaption>
      )}
      {!source && (
        <button type="button" className="button-quiet button-small" data-above="4" data-needs-script="">
          Text kopieren
        </button>
      )}
    </figure>
  );
}
