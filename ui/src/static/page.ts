/** An element for React to render into the document's head. */
export interface HeadElement {
  tag: "title" | "meta" | "link";
  attributes: Record<string, string>;
  text: string;
}

/** What the file of a page holds, apart from code. */
export interface StaticPage {
  /** The encoded path of the page, after redirects. */
  path: string;
  head: HeadElement[];
  /** The HTML of its static part; empty if it has none. */
  html: string;
  /** Whether no route matches the path. Unknown articles and categories do match one. */
  isUnknownRoute: boolean;
}

/** The elements of the head that differ from page to page. */
const MANAGED =
  "title, link[rel=canonical], meta[property], meta[name]:not([name=viewport], [name=theme-color], [name=format-detection])";

/** Reads a page from a document: the open one, before React touches it, or one that was fetched. */
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
