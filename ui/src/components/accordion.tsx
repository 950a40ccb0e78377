import type { ReactNode } from "react";

/** Renders questions whose answers open, on the FAQ page and in articles. Works without JavaScript. */
export function Accordion({ children }: { children: ReactNode }) {
  return <div className="accordion">{children}</div>;
}

interface ItemProps {
  /** For links to the answer. It is set on the answer, so that browsers open it for such a link. */
  id: string;
  question: string;
  /** The level that follows the headings above. */
  heading?: "h2" | "h3";
  isOpen?: boolean;
  children: ReactNode;
}

export function AccordionItem({ id, question, heading: Heading = "h3", isOpen = false, children }: ItemProps) {
  return (
    <details className="fold" open={isOpen}>
      <summary>
        <Heading>{question}</Heading>
      </summary>
      <div className="accordion-answer measure" id={id}>
        {children}
      </div>
    </details>
  );
}
