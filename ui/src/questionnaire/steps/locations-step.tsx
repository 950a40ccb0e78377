import { Choices } from "../choices.tsx";
import { Question } from "../question.tsx";
import type { StepProps } from "./step-props.ts";

export function LocationsStep({ answers, isLocked, onChange }: StepProps) {
  return (
    <Question
      title="Wo treten die Probleme auf?"
      hint="Wählen Sie alles, was zutrifft, oder gehen Sie einfach weiter."
      isLocked={isLocked}
    >
      <Choices name="locations" otherName="locationOther" answers={answers} onChange={onChange} />
    </Question>
  );
}
