import { OTHER } from "../inquiry/options.ts";
import { type ListName, OPTIONS_OF } from "./answers-reducer.ts";
import { Field } from "./field.tsx";
import { OptionBox } from "./option-box.tsx";
import { OTHER_FIELD } from "./questions.ts";
import type { OtherName } from "./step-validation.ts";
import type { StepProps } from "./steps/step-props.ts";

interface ChoicesProps extends Pick<StepProps, "answers" | "errors" | "onChange"> {
  readonly name: ListName;
  /** The free text for Sonstiges. */
  readonly otherName: OtherName;
}

/** Check boxes for any number of options. */
export function Choices({ name, otherName, answers, errors, onChange }: ChoicesProps) {
  const chosen = answers[name];
  return (
    <>
      <div className="choices">
        {OPTIONS_OF[name].map((option) => (
          <OptionBox
            key={option.id}
            name={name}
            option={option}
            isChosen={chosen.includes(option.id)}
            onChange={() => onChange({ kind: "toggle", name, id: option.id })}
          />
        ))}
      </div>
      {chosen.includes(OTHER) && (
        <Field
          {...OTHER_FIELD}
          name={otherName}
          value={answers[otherName]}
          error={errors[otherName]}
          onChange={(value) => onChange({ kind: "type", name: otherName, value })}
        />
      )}
    </>
  );
}
