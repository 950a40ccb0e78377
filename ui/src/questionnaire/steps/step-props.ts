import type { Answers } from "../../inquiry/answers.ts";
import type { AnswerAction } from "../answers-reducer.ts";
import type { FieldName } from "../step-validation.ts";

/** What every step is given. */
export interface StepProps {
  readonly answers: Answers;
  /** The texts at the invalid fields. */
  readonly errors: Partial<Readonly<Record<FieldName, string>>>;
  /** The answers are being sent, and cannot be changed. */
  readonly isLocked: boolean;
  readonly onChange: (action: AnswerAction) => void;
}
