/** A heading of a text, as the build found it (`build/content/headings.mjs`). */
export interface Heading {
  level: number;
  id: string;
  text: string;
}
