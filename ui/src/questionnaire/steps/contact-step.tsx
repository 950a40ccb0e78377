import { Field } from "../field.tsx";
import { CONTACT_FIELDS, QUESTIONS } from "../questions.ts";
import { PrivacyNote } from "../privacy-note.tsx";
import { Question } from "../question.tsx";
import { Summary } from "../summary.tsx";
import type { ContactName } from "../step-validation.ts";
import { Honeypot } from "../honeypot.tsx";
import type { StepProps } from "./step-props.ts";

export function ContactStep({ answers, errors, isLocked, onChange }: StepProps) {
  const field = (name: ContactName) => ({
    ...CONTACT_FIELDS[name],
    value: answers[name],
    error: errors[name],
    onChange: (value: string) => onChange({ kind: "type", name, value }),
  });
  return (
    <>
      <Question {...QUESTIONS.contact} isLocked={isLocked}>
        <div className="question-columns">
          <Field {...field("firstName")} />
          <Field {...field("lastName")} />
        </div>
        <Field {...field("email")} />
        <Field {...field("phone")} />
        <Honeypot />
      </Question>
      <Summary answers={answers} />
      <PrivacyNote />
    </>
  );
}
