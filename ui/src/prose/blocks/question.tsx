import type { ReactNode } from "react";
import { AccordionItem } from "../../components/accordion.tsx";

/** One of the questions in an article's `<FaqBlock>`, below a heading of the second level. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AccordionItem id={anchorOf(title)} question={title}>
      {children}
    </AccordionItem>
  );
}

/** Returns the id for links to the question. Its first word distinguishes it from the ids of headings. */
function anchorOf(question: string): string {
  return `frage-${
    question
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join("-") ?? ""
  }`;
}
