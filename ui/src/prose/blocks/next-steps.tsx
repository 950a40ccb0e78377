import type { ReactNode } from "react";
import { InquiryLink, type Subject } from "../../components/inquiry-link.tsx";

interface Props extends Subject {
  title: string;
  /** A numbered list of three or four steps. */
  children: ReactNode;
}

/** Closes an article: what to do now, and the button to begin with. */
export function NextSteps({ title, children, ...subject }: Props) {
  return (
    <div className="next-steps prose-wide panel">
      <h2>{title}</h2>
      {children}
      <p className="screen-only" data-above="5">
        <InquiryLink {...subject} />
      </p>
    </div>
  );
}
