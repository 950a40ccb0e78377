import type { ReactNode } from "react";
import { Submit } from "../components/submit.tsx";

interface QuestionProps {
  title: ReactNode;
  lead?: ReactNode;
  /** The page that led here. */
  back: string;
  backLabel: string;
  /** The consequences of the action, as list items. */
  children: ReactNode;
  /** The address that receives the answer. */
  action: string;
  /** Further form fields. */
  hidden?: ReactNode;
  /** What must be ticked before an action that cannot be undone. */
  sure?: ReactNode;
  submit: string;
}

/** Asks for confirmation before an action: explains its consequences, and has the button for it. */
export function Question({ title, lead, back, backLabel, children, action, hidden, sure, submit }: QuestionProps) {
  return (
    <>
      <p className="desk-screen" data-below="3">
        <a className="touch" href={back}>
          {backLabel}
        </a>
      </p>
      <h1>{title}</h1>
      {lead && (
        <p className="layout-lead" data-above="3">
          {lead}
        </p>
      )}
      <div className="measure prose" data-above="4" data-below="4">
        <ul>{children}</ul>
      </div>
      <form className="card measure" data-edge="strong" method="post" action={action}>
        {hidden}
        {sure && (
          <label className="desk-sure check" data-below="4">
            <input type="checkbox" name="sure" value="ja" required /> {sure}
          </label>
        )}
        <p className="cluster">
          <Submit>{submit}</Submit>
          <a className="button-quiet" href={back}>
            Abbrechen
          </a>
        </p>
      </form>
    </>
  );
}
