import type { ReactNode } from "react";

interface Props {
  /** What it is, such as a sample letter. */
  label?: string;
  /** Who said it. */
  source?: string;
  children: ReactNode;
}

/** Words to quote or to copy, set apart from the article's own. */
export function QuoteBox({ label, source, children }: Props) {
  return (
    <figure className="quote-box">
      {label && <p className="block-label">{label}</p>}
      <blockquote>{children}</blockquote>
      {source && <figcaption>{source}</figcaption>}
    </figure>
  );
}
