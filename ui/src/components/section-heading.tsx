import { Claim, type ClaimName } from "../template/claim.tsx";

interface Props {
  id: string;
  title: string;
  lead?: string;
  /** A claim after the lead. */
  claim?: ClaimName;
}

/** Renders the heading and the opening sentence of a section. */
export function SectionHeading({ id, title, lead, claim }: Props) {
  return (
    <div className="section-heading">
      <h2 id={id}>{title}</h2>
      {lead && (
        <p className="layout-lead">
          {lead} {claim && <Claim name={claim} />}
        </p>
      )}
    </div>
  );
}
