import type { ReactNode } from "react";
import { FIELD_IDS } from "./field-ids.ts";
import type { ErrorName, FormView } from "./form-view.ts";
import { PROGRESS_ID } from "./progress.tsx";

interface QuestionProps {
  /** The first answer that it asks for, after which the ids of the group are named. */
  readonly name: ErrorName;
  readonly title: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** Exactly one of several must be chosen: the group then says so, and whether it is wrong. */
  readonly isChoice?: boolean;
  readonly view: FormView;
  /** The answers cannot be changed. */
  readonly isLocked: boolean;
  readonly children: ReactNode;
}

/** A step's question and its answers. Its heading names the group, and the page, where it is shown alone. */
export function Question({ name, title, hint, error, isChoice = false, view, isLocked, children }: QuestionProps) {
  const hintId = `${FIELD_IDS[name]}-frage-hinweis`;
  const errorId = `${FIELD_IDS[name]}-frage-fehler`;
  const described = [hint && hintId, error && errorId].filter(Boolean).join(" ");
  const group = isChoice && {
    role: "radiogroup",
    "aria-required": true,
    ...(error === undefined ? {} : { "aria-invalid": true }),
  };
  return (
    <fieldset
      className="question"
      disabled={isLocked}
      tabIndex={-1}
      {...group}
      aria-describedby={described || undefined}
    >
      <legend className="question-legend">
        {view.answers ? (
          <h1 className="questionnaire-heading" tabIndex={-1} aria-describedby={PROGRESS_ID}>
            {title}
          </h1>
        ) : (
          <h2 className="questionnaire-heading">{title}</h2>
        )}
      </legend>
      {hint && (
        <p className="question-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}
