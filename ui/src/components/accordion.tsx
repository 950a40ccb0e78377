import type { ReactNode } from "react";

/** Renders questions with answers that open, for the FAQ page and articles. Works without JavaScript. */
export function Accordion({ children }: { children: ReactNode }) {
  return <div className="accordion">{children}</div>;
}

interface ItemProps {
  /** The target of links. It is on the answer, so that browsers open it when following such a link. */
  id: string;
  question: string;
  isOpen?: boolean;
  children: ReactNode;
}

export function AccordionItem({ id, question, isOpen = false, children }: ItemProps) {
  return (
    <details className="fold" open={isOpen}>
      <summary>
        <h3>{question}</h3>
      </summary>
      <div className="accordion-answer measure" id={id}>
        {children}
      </div>
    </details>
  );
}
