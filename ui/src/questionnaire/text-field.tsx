import type { AnswerAction, TextName } from "./answers-reducer.ts";
import { Field, type InputProps } from "./field.tsx";
import { FIELD_IDS } from "./field-ids.ts";
import type { FormView } from "./form-view.ts";

interface Props extends InputProps {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  readonly trimsPasted?: boolean;
  readonly view: FormView;
  readonly onChange: (action: AnswerAction) => void;
}

/** The field for one of the answers that are typed. */
export function TextField({ name, view, onChange, ...field }: Props) {
  return view.withError(name, (error) => (
    <Field
      {...field}
      name={name}
      id={FIELD_IDS[name]}
      value={view.text(name)}
      error={error}
      onChange={(value) => onChange({ kind: "type", name, value })}
    />
  ));
}
