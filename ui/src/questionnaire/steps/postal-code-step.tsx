import { Field } from "../field.tsx";
import { Question } from "../question.tsx";
import type { StepProps } from "./step-props.ts";

/** The spec's limit: a German postal code has five digits. */
const POSTAL_CODE_LENGTH = 5;

export function PostalCodeStep({ answers, errors, isLocked, onChange }: StepProps) {
  return (
    <Question
      title="Wo befindet sich das Gebäude?"
      hint="Wir vermitteln in Hamburg und bis zu 50 km rundherum."
      isLocked={isLocked}
    >
      <div className="question-short">
        <Field
          name="postalCode"
          label="Postleitzahl"
          hint="Fünf Ziffern, zum Beispiel 20095"
          value={answers.postalCode}
          error={errors.postalCode}
          required
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={POSTAL_CODE_LENGTH}
          onChange={(value) => onChange({ kind: "type", name: "postalCode", value })}
        />
      </div>
    </Question>
  );
}
