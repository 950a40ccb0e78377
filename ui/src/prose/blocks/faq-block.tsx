import type { ReactNode } from "react";
import { Accordion, AccordionItem } from "../../components/accordion.tsx";

/** Questions in an article, under a heading of the second level; its children are `<Question>`s. */
export function FaqBlock({ children }: { children: ReactNode }) {
  return <Accordion>{children}</Accordion>;
}

export function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AccordionItem id={anchorOf(title)} question={title}>
      {children}
    </AccordionItem>
  );
}

/** As in a link to the question. The first word keeps it apart from the ids of headings. */
function anchorOf(question: string): string {
  return `frage-${
    question
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join("-") ?? ""
  }`;
}
