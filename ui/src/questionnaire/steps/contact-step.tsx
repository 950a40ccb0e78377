import type { TextName } from "../change.ts";
import { Field } from "../field.tsx";
import { PrivacyNote } from "../privacy-note.tsx";
import { Question } from "../question.tsx";
import type { StepProps } from "../step-fields.tsx";
import { Summary } from "../summary.tsx";
import { Trap } from "../trap.tsx";

export function ContactStep({ answers, errors, onChange }: StepProps) {
  const field = (name: TextName & keyof typeof errors) => ({
    name,
    value: answers[name],
    error: errors[name],
    required: true,
    onChange: (value: string) => onChange({ kind: "text", name, value }, name),
  });
  return (
    <>
      <Question title="Wie sind Sie zu erreichen?" hint="Alle Felder mit * sind Pflichtfelder.">
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
