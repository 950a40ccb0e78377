import { Choices } from "../choices.tsx";
import { Question } from "../question.tsx";
import { QUESTIONS } from "../questions.ts";
import type { StepProps } from "./step-props.ts";

export function ProblemsStep({ answers, errors, isLocked, onChange }: StepProps) {
  return (
    <Question {...QUESTIONS.problems} isLocked={isLocked}>
      <Choices name="problems" otherName="problemOther" answers={answers} errors={errors} onChange={onChange} />
    </Question>
  );
}
