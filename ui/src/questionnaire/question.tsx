import type { ReactNode } from "react";
import { type FieldName, FIELDS } from "./fields.ts";
import type { FormView } from "./form-view.ts";
import type { InputState } from "./input-answers.ts";
import { PROGRESS_ID } from "./progress.tsx";
import { QUESTIONS, type Step } from "./steps.ts";

/** The props of every step. */
export interface StepProps {
  readonly view: FormView;
  /** The answers are being sent and cannot be changed. */
  readonly isLocked: boolean;
  readonly onChange: (input: InputState) => void;
  /** A choice was made that moves on automatically. */
  readonly onChosen: () => void;
  /** A line of the summary opens its question. */
  readonly onOpen: (step: Step) => void;
}

interface QuestionProps extends Pick<StepProps, "view" | "isLocked"> {
  /** The first answer that it asks for, from which the ids of the group derive. */
  readonly name: FieldName;
  readonly error?: string | undefined;
  /** Exactly one option must be chosen: the group then announces that, and whether it is invalid. */
  readonly isChoice?: boolean;
  readonly children: ReactNode;
}

/** A step's question and its answers. The heading names the group and, if the question is shown alone, the page. */
export function Question({ name, error, isChoice = false, view, isLocked, children }: QuestionProps) {
  const { id, step } = FIELDS[name];
  const { title, hint } = QUESTIONS[step];
  const hintId = `${id}-frage-hinweis`;
  const errorId = `${id}-frage-fehler`;
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
        <p className="soft" data-above="2" id={hintId}>
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
