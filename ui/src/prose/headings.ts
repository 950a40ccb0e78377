/** A heading of a text, as the build found it (`build/content/headings.ts`). */
export interface Heading {
  level: number;
  id: string;
  text: string;
  /** Settings without which it is not shown. */
  settings: string[];
}
