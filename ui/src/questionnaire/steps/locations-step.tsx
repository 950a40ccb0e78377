import { Choices } from "../choices.tsx";
import { Question } from "../question.tsx";
import { QUESTIONS } from "../questions.ts";
import type { StepProps } from "./step-props.ts";

export function LocationsStep({ answers, errors, isLocked, onChange }: StepProps) {
  return (
    <Question {...QUESTIONS.locations} isLocked={isLocked}>
      <Choices name="locations" otherName="locationOther" answers={answers} errors={errors} onChange={onChange} />
    </Question>
  );
}
