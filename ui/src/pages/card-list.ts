import { HARBOUR, PLAIN_CARD } from "./page-meta.ts";
import { listPages } from "./page-list.ts";
import { pageAt } from "./routes.tsx";

/** What the build needs to draw a social card. */
export interface Card {
  /** The path of the file. */
  image: string;
  title: string;
  /** The name of a drawing. */
  drawing: string;
}

/**
 * Returns every card. The claims are titles on the home page's cards, because the page's own is meant for search engines; the
 * plain one does not call firms vetted.
 */
export function listCards(claim: string, plainClaim: string): Card[] {
  const cards = listPages().map(({ href }) => {
    const { image, title, drawing = HARBOUR } = pageAt(href).meta;
    return { image, title: href === "/" ? claim : title, drawing };
  });
  return [...cards, { image: PLAIN_CARD, title: plainClaim, drawing: HARBOUR }];
}
