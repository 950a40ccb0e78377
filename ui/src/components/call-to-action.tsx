import { InquiryLink, type Subject } from "./inquiry-link.tsx";

interface Props extends Subject {
  title: string;
  text: string;
  /** A heading at the end of a page; a paragraph in a card within a text, which is not a section of its own. */
  as?: "h2" | "p";
}

/** Renders a block that links to the questionnaire. */
export function CallToAction({ title, text, as: Title = "h2", ...subject }: Props) {
  return (
    <div className="call-to-action cluster harbour screen-only">
      <div>
        <Title className="call-to-action-title">{title}</Title>
        <p className="soft measure" data-above="3">
          {text}
        </p>
      </div>
      <InquiryLink {...subject} />
    </div>
  );
}
