import { Link } from "../routing/router.ts";

interface Props {
  title: string;
  text: string;
}

/** A closing block that leads to the questionnaire. */
export function CallToAction({ title, text }: Props) {
  return (
    <aside className="call-to-action" aria-labelledby="call-to-action">
      <div>
        <h2 id="call-to-action">{title}</h2>
        <p>{text}</p>
      </div>
      <Link className="button" to="/fragebogen">
        Angebote einholen
      </Link>
    </aside>
  );
}
