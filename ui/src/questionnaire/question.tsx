import { type ReactNode, useId } from "react";
import { PROGRESS_ID } from "./progress.tsx";

interface QuestionProps {
  readonly title: string;
  readonly hint?: string;
  /** Set if exactly one of several must be chosen: the group then says so, and what is wrong with it. */
  readonly choice?: { readonly error: string | undefined };
  /** The answers cannot be changed. */
  readonly isLocked: boolean;
  readonly children: ReactNode;
}

/** A step's question and its answers. The heading of the page is the name of the group. */
export function Question({ title, hint, choice, isLocked, children }: QuestionProps) {
  const error = choice?.error;
  const hintId = useId();
  const errorId = useId();
  const described = [hint && hintId, error && errorId].filter(Boolean).join(" ");
  const group = choice && {
    role: "radiogroup",
    "aria-required": true,
    ...(error === undefined ? {} : { "aria-invalid": true }),
  };
  return (
    <fieldset className="question" disabled={isLocked} {...group} aria-describedby={described || undefined}>
      <legend className="question-legend">
        <h1 className="questionnaire-heading" tabIndex={-1} aria-describedby={PROGRESS_ID}>
          {title}
        </h1>
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
