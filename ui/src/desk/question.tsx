import type { ReactNode } from "react";

interface QuestionProps {
  title: ReactNode;
  lead?: ReactNode;
  /** The page that the question was asked from. */
  back: string;
  backLabel: string;
  /** What the action does, as list items. */
  children: ReactNode;
  /** Where the answer is sent. */
  action: string;
  /** What is sent with it. */
  hidden?: ReactNode;
  /** What must be ticked before something that cannot be undone. */
  sure?: ReactNode;
  submit: string;
}

/** Renders the question before something with consequences is done: what it does, and a button for it. */
export function Question({ title, lead, back, backLabel, children, action, hidden, sure, submit }: QuestionProps) {
  return (
    <>
      <p className="desk-back">
        <a className="touch" href={back}>
          {backLabel}
        </a>
      </p>
      <h1>{title}</h1>
      {lead && <p className="layout-lead">{lead}</p>}
      <div className="desk-text prose">
        <ul>{children}</ul>
      </div>
      <form className="desk-question card" method="post" action={action}>
        {hidden}
        {sure && (
          <label className="desk-sure">
            <input type="checkbox" name="sure" value="ja" required /> {sure}
          </label>
        )}
        <p className="cluster">
          <button className="button-plain" type="submit">
            {submit}
          </button>
          <a className="button-quiet" href={back}>
            Abbrechen
          </a>
        </p>
      </form>
    </>
  );
}
