import type { StaticPage } from "./page.ts";

/** Renders title and metadata as in the page's file. React adopts those that are in the head already. */
export function StaticHead({ page }: { page: StaticPage }) {
  return page.head.map(({ tag: Tag, attributes, text }) => {
    const key = [Tag, attributes.name, attributes.property].join();
    return Tag === "title" ? <Tag key={key}>{text}</Tag> : <Tag key={key} {...attributes} />;
  });
}
