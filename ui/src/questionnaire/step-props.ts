import type { AnswerAction } from "./answers-reducer.ts";
import type { FormView } from "./form-view.ts";

/** What every step is given. */
export interface StepProps {
  readonly view: FormView;
  /** The answers are being sent, and cannot be changed. */
  readonly isLocked: boolean;
  readonly onChange: (action: AnswerAction) => void;
  /** A choice was made that moves on automatically. */
  readonly onChosen: () => void;
}
