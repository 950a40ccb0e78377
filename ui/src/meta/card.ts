/** A page's social card: the picture that networks show beside a link, drawn by the build (`build/cards.mjs`). */
export const CARD_SIZE = { width: 1200, height: 630 };

/** The home page's card, and that of pages that have none of their own. */
export const DEFAULT_CARD = "/og-image.png";

const LETTERS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** The address of the card of the page at a decoded path. */
export function cardPath(path: string): string {
  return path === "/" ? DEFAULT_CARD : `/og${asciiPath(path)}.png`;
}

/** A decoded path as ASCII, for files: not every network asks for an address that is encoded. */
export function asciiPath(path: string): string {
  return path.replace(/[äöüß]/g, (letter) => LETTERS[letter] ?? letter);
}
