import { LIMITS } from "../../inquiry/rules.ts";
import { Question } from "../question.tsx";
import { POSTAL_CODE_FIELD, QUESTIONS } from "../questions.ts";
import type { StepProps } from "../step-props.ts";
import { TextField } from "../text-field.tsx";

export function PostalCodeStep({ view, isLocked, onChange }: StepProps) {
  // Without a script it would cut what is pasted with white space in front.
  const limit = view.answers && { maxLength: LIMITS.postal_code };
  return (
    <Question {...QUESTIONS.place} name="postalCode" view={view} isLocked={isLocked}>
      <div className="question-short">
        <TextField {...POSTAL_CODE_FIELD} {...limit} trimsPasted view={view} onChange={onChange} />
      </div>
    </Question>
  );
}
