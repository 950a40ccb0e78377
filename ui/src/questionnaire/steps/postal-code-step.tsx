import { LIMITS } from "../../inquiry/rules.ts";
import { Field } from "../field.tsx";
import { Question } from "../question.tsx";
import { POSTAL_CODE_FIELD, QUESTIONS } from "../questions.ts";
import type { StepProps } from "./step-props.ts";

export function PostalCodeStep({ answers, errors, isLocked, onChange }: StepProps) {
  return (
    <Question {...QUESTIONS.place} isLocked={isLocked}>
      <div className="question-short">
        <Field
          {...POSTAL_CODE_FIELD}
          maxLength={LIMITS.postal_code}
          trimsPasted
          value={answers.postalCode}
          error={errors.postalCode}
          onChange={(value) => onChange({ kind: "type", name: "postalCode", value })}
        />
      </div>
    </Question>
  );
}
