import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  readonly hint?: string;
  /** The id of the group; those of its hint and its error follow from it. */
  readonly id: string;
  readonly error?: string | undefined;
  /** Exactly one of several must be chosen. */
  readonly isChoice?: boolean;
  readonly children: ReactNode;
}

/** A question of the plain form and its answers, tied to its hint and its error. */
export function PlainQuestion({ title, hint, id, error, isChoice = false, children }: Props) {
  const described = [hint && `${id}-hinweis`, error && `${id}-fehler`].filter(Boolean).join(" ");
  const group = isChoice && {
    role: "radiogroup",
    "aria-required": true,
    ...(error === undefined ? {} : { "aria-invalid": true }),
  };
  return (
    <fieldset className="question" {...group} aria-describedby={described || undefined}>
      <legend className="question-legend">
        <h2 className="questionnaire-heading">{title}</h2>
      </legend>
      {hint && (
        <p className="question-hint" id={`${id}-hinweis`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-fehler`}>
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}
