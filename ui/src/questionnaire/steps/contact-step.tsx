import { CONSENT } from "../../inquiry/consent.ts";
import { Honeypot } from "../honeypot.tsx";
import { PrivacyNote } from "../privacy-note.tsx";
import { Question } from "../question.tsx";
import { CONTACT_FIELDS, QUESTIONS } from "../questions.ts";
import type { StepProps } from "../step-props.ts";
import { Summary } from "../summary.tsx";
import { TextField } from "../text-field.tsx";

export function ContactStep({ view, isLocked, onChange }: StepProps) {
  return (
    <>
      <Question {...QUESTIONS.contact} name="firstName" view={view} isLocked={isLocked}>
        <div className="question-columns">
          <TextField {...CONTACT_FIELDS.firstName} view={view} onChange={onChange} />
          <TextField {...CONTACT_FIELDS.lastName} view={view} onChange={onChange} />
        </div>
        <TextField {...CONTACT_FIELDS.email} view={view} onChange={onChange} />
        <TextField {...CONTACT_FIELDS.phone} view={view} onChange={onChange} />
        <Honeypot />
      </Question>
      {view.answers && <Summary answers={view.answers} />}
      <PrivacyNote />
      <input type="hidden" name="consent" value={CONSENT.version} />
    </>
  );
}
