/** An element that React is to render into the document's head. */
export interface HeadElement {
  tag: "title" | "meta" | "link";
  attributes: Record<string, string>;
  text: string;
}

/** What the file of a page says: everything of it that is not code. */
export interface StaticPage {
  /** The encoded path that the page was found at, after redirects. */
  path: string;
  head: HeadElement[];
  /** The HTML of its static part; empty where it has none. */
  html: string;
  /** Stands for a path that no route knows; unknown articles and categories have a route. */
  isUnknownRoute: boolean;
}

/** The elements of the head that differ from page to page. The others stand in every file. */
const MANAGED =
  "title, link[rel=canonical], meta[property], meta[name]:not([name=viewport], [name=theme-color], [name=format-detection])";

/** Reads a page from its document: the one that is open, before React touches it, or one that was fetched. */
export function readPage(document: Document, path: string): StaticPage {
  return {
    path,
    head: [...document.head.querySelectorAll(MANAGED)].map(readElement),
    html: document.querySelector("[data-static]")?.innerHTML ?? "",
    isUnknownRoute: document.querySelector("[data-unknown-route]") !== null,
  };
}

function readElement(element: Element): HeadElement {
  return {
    tag: element.localName as HeadElement["tag"],
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    text: element.textContent ?? "",
  };
}
