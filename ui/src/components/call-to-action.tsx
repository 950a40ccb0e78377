interface Props {
  title: string;
  text: string;
  /** A heading at the end of a page; a paragraph for a card within a text, which is not a section of it. */
  as?: "h2" | "p";
}

/** Renders a block that leads to the questionnaire. */
export function CallToAction({ title, text, as: Title = "h2" }: Props) {
  return (
    <div className="call-to-action">
      <div>
        <Title className="call-to-action-title">{title}</Title>
        <p>{text}</p>
      </div>
      <a className="button" href="/fragebogen">
        Angebote einholen
      </a>
    </div>
  );
}
