import type { StaticPage } from "./page.ts";

/** Title and metadata as the page's file has them. React adopts those that stand in the head already. */
export function StaticHead({ page }: { page: StaticPage }) {
  return page.head.map(({ tag: Tag, attributes, text }) => {
    const key = [Tag, attributes.name, attributes.property].join();
    return Tag === "title" ? <Tag key={key}>{text}</Tag> : <Tag key={key} {...attributes} />;
  });
}
