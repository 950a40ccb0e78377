import { FREE_TEXT_LIMIT } from "../inquiry/additions.ts";
import { OTHER } from "../inquiry/options.ts";
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { type ListName, OPTIONS_OF } from "./answers-reducer.ts";
import { Field } from "./field.tsx";
import type { StepProps } from "./steps/step-props.ts";

interface ChoicesProps extends Pick<StepProps, "answers" | "onChange"> {
  readonly name: ListName;
  /** The free text for Sonstiges. */
  readonly otherName: "problemOther" | "locationOther";
}

/** Check boxes for any number of options. */
export function Choices({ name, otherName, answers, onChange }: ChoicesProps) {
  const chosen = answers[name];
  return (
    <>
      <div className="choices">
        {OPTIONS_OF[name].map(({ id, label }) => (
          <label className="choice" key={id}>
            <input
              className="choice-input"
              type="checkbox"
              name={name}
              value={id}
              checked={chosen.includes(id)}
              onChange={() => onChange({ kind: "toggle", name, id })}
            />
            <FormDrawing name={`${name}/${id}`} className="choice-drawing" />
            <span className="choice-label">{label}</span>
          </label>
        ))}
      </div>
      {chosen.includes(OTHER) && (
        <Field
          name={otherName}
          label="Bitte beschreiben"
          hint="Diesen Text bekommen die Fachbetriebe mit Ihrer Anfrage. Name und Telefonnummer gehören nicht hinein."
          maxLength={FREE_TEXT_LIMIT}
          value={answers[otherName]}
          onChange={(value) => onChange({ kind: "type", name: otherName, value })}
        />
      )}
    </>
  );
}
