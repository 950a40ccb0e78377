interface Props {
  id: string;
  title: string;
  lead?: string;
}

/** Renders the heading and the opening sentence of a section. */
export function SectionHeading({ id, title, lead }: Props) {
  return (
    <div className="section-heading">
      <h2 id={id}>{title}</h2>
      {lead && <p className="layout-lead">{lead}</p>}
    </div>
  );
}
