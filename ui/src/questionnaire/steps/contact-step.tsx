import type { TextName } from "../answers-reducer.ts";
import { Field } from "../field.tsx";
import { PrivacyNote } from "../privacy-note.tsx";
import { Question } from "../question.tsx";
import { Summary } from "../summary.tsx";
import { Trap } from "../trap.tsx";
import type { StepProps } from "./step-props.ts";

export function ContactStep({ answers, errors, isLocked, onChange }: StepProps) {
  const field = (name: TextName & keyof typeof errors) => ({
    name,
    value: answers[name],
    error: errors[name],
    required: true,
    onChange: (value: string) => onChange({ kind: "type", name, value }),
  });
  return (
    <>
      <Question title="Wie sind Sie zu erreichen?" hint="Alle Felder mit * sind Pflichtfelder." isLocked={isLocked}>
        <div className="question-columns">
          <Field {...field("firstName")} label="Vorname" autoComplete="given-name" />
          <Field {...field("lastName")} label="Nachname" autoComplete="family-name" />
        </div>
        <Field {...field("email")} label="E-Mail-Adresse" type="email" autoComplete="email" inputMode="email" />
        <Field {...field("phone")} label="Telefonnummer" type="tel" autoComplete="tel" inputMode="tel" />
        <Trap />
      </Question>
      <Summary answers={answers} />
      <PrivacyNote />
    </>
  );
}
