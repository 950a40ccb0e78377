import { FormDrawing } from "../drawings/form-drawing.tsx";
import { OTHER } from "../inquiry/options.ts";
import { LIST_FIELDS, type ListName } from "./fields.ts";
import { Question, type StepProps } from "./question.tsx";
import { TextInput } from "./text-input.tsx";

interface Props extends StepProps {
  readonly name: ListName;
}

/** Asks for any number of options, with check boxes that look like tiles. */
export function ListQuestion({ name, ...props }: Props) {
  const { view, onChange } = props;
  const { id: firstId, options, other } = LIST_FIELDS[name];
  // The served form always has the field; the style sheet hides it.
  const isOtherAsked = view.answers?.[name].includes(OTHER) ?? true;
  return view.withError(name, (error) => (
    <Question name={name} error={error} {...props}>
      <div className="choices">
        {options.map(({ id, label }, index) =>
          view.withChoice(name, id, (isChosen) => (
            <label className="choice" key={id}>
              <input
                className="choice-input"
                type="checkbox"
                id={index === 0 ? firstId : undefined}
                name={name}
                value={id}
                checked={isChosen}
                onChange={({ target }) => onChange(target)}
              />
              <FormDrawing name={`${name}/${id}`} className="choice-drawing" />
              <span className="choice-label">{label}</span>
            </label>
          )),
        )}
      </div>
      {isOtherAsked && (
        <div className="question-other">
          <TextInput name={other} {...props} />
        </div>
      )}
    </Question>
  ));
}
