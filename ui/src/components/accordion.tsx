import type { ReactNode } from "react";

/** Questions whose answers open: on the FAQ page and in articles. Works without script. */
export function Accordion({ children }: { children: ReactNode }) {
  return <div className="accordion">{children}</div>;
}

interface ItemProps {
  /** Stands in links to the answer. On the answer, not the question: so the browser opens it for such a link. */
  id: string;
  question: string;
  /** The level that follows from the headings above. */
  heading?: "h2" | "h3";
  isOpen?: boolean;
  children: ReactNode;
}

export function AccordionItem({ id, question, heading: Heading = "h3", isOpen = false, children }: ItemProps) {
  return (
    <details open={isOpen}>
      <summary>
        <Heading>{question}</Heading>
      </summary>
      <div className="accordion-answer" id={id}>
        {children}
      </div>
    </details>
  );
}
