import { Choices } from "../choices.tsx";
import { Question } from "../question.tsx";
import type { StepProps } from "./step-props.ts";

export function ProblemsStep({ answers, isLocked, onChange }: StepProps) {
  return (
    <Question
      title="Welche Probleme haben Sie mit Tauben?"
      hint="Wählen Sie alles, was zutrifft, oder gehen Sie einfach weiter."
      isLocked={isLocked}
    >
      <Choices name="problems" otherName="problemOther" answers={answers} onChange={onChange} />
    </Question>
  );
}
