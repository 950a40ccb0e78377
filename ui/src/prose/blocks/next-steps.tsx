import type { ReactNode } from "react";

interface Props {
  title: string;
  button?: string;
  /** A numbered list of three or four steps. */
  children: ReactNode;
}

/** Closes an article: what to do now, and the button to begin with. */
export function NextSteps({ title, button = "Angebote einholen", children }: Props) {
  return (
    <div className="next-steps prose-wide">
      <h2>{title}</h2>
      {children}
      <p className="next-steps-action">
        <a className="button" href="/fragebogen">
          {button}
        </a>
      </p>
    </div>
  );
}
