import { Link } from "../routing/router.ts";

interface Props {
  title: string;
  text: string;
  /** A heading closes a page; a card inside a text is no section of it, so its title is a paragraph. */
  as?: "h2" | "p";
}

/** A block that leads to the questionnaire. */
export function CallToAction({ title, text, as: Title = "h2" }: Props) {
  return (
    <div className="call-to-action">
      <div>
        <Title className="call-to-action-title">{title}</Title>
        <p>{text}</p>
      </div>
      <Link className="button" to="/fragebogen">
        Angebote einholen
      </Link>
    </div>
  );
}
