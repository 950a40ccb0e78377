/** The size of a social card, the picture that networks show with a link. The build draws it (`build/cards.ts`). */
export const CARD_SIZE = { width: 1200, height: 630 };

/** The card of the home page and of pages without one of their own. */
export const DEFAULT_CARD = "/og-image.png";

/** Takes its place where the site may not call firms vetted, as its text does. */
export const PLAIN_CARD = "/og-image-plain.png";

const LETTERS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** Returns the path of the card for the page at a decoded path. */
export function cardPath(path: string): string {
  return path === "/" ? DEFAULT_CARD : `/og${asciiPath(path)}.png`;
}

/** Returns a decoded path in ASCII, for files: not every network can request an encoded address. */
export function asciiPath(path: string): string {
  return path.replace(/[äöüß]/g, (letter) => LETTERS[letter] ?? letter);
}
