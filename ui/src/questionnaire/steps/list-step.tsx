import { OTHER } from "../../inquiry/options.ts";
import { type ListName, OPTIONS_OF } from "../answers-reducer.ts";
import { FIELD_IDS } from "../field-ids.ts";
import { OptionBox } from "../option-box.tsx";
import { Question } from "../question.tsx";
import { OTHER_FIELD, QUESTIONS } from "../questions.ts";
import type { StepProps } from "../step-props.ts";
import type { OtherName } from "../step-validation.ts";
import { TextField } from "../text-field.tsx";

interface Props extends StepProps {
  readonly name: ListName;
  /** The free text for Sonstiges. */
  readonly otherName: OtherName;
}

/** Asks for any number of options. */
export function ListStep({ name, otherName, view, isLocked, onChange }: Props) {
  // The served form has the field in any case. It opens by the style sheet.
  const isOtherAsked = view.answers?.[name].includes(OTHER) ?? true;
  return view.withError(name, (error) => (
    <Question {...QUESTIONS[name]} name={name} error={error} view={view} isLocked={isLocked}>
      <div className="choices">
        {OPTIONS_OF[name].map((option, index) =>
          view.withChoice(name, option.id, (isChosen) => (
            <OptionBox
              key={option.id}
              name={name}
              option={option}
              isChosen={isChosen}
              onChange={(isTicked) => onChange({ kind: "tick", name, id: option.id, isTicked })}
              {...(index === 0 && { id: FIELD_IDS[name] })}
            />
          )),
        )}
      </div>
      {isOtherAsked && (
        <div className="question-other">
          <TextField {...OTHER_FIELD} name={otherName} view={view} onChange={onChange} />
        </div>
      )}
    </Question>
  ));
}
