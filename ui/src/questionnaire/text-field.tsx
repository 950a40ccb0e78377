import type { ClipboardEvent, InputHTMLAttributes } from "react";
import { Field } from "../components/field.tsx";
import { trim } from "../inquiry/validation.ts";
import type { AnswerAction, TextName } from "./answers-reducer.ts";
import { FIELD_IDS } from "./field-ids.ts";
import type { FormView } from "./form-view.ts";

interface Props
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    "type" | "autoComplete" | "inputMode" | "maxLength" | "pattern" | "required"
  > {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  /** Whether white space around what is pasted is left out, which would take the place of what counts. */
  readonly trimsPasted?: boolean;
  readonly view: FormView;
  readonly onChange: (action: AnswerAction) => void;
}

/** The field for one of the answers that are typed. */
export function TextField({ name, label, hint, required, trimsPasted, view, onChange, ...input }: Props) {
  return view.withError(name, (error) => (
    <Field id={FIELD_IDS[name]} label={label} hint={hint} error={error} required={required}>
      {(control) => (
        <input
          type="text"
          {...control}
          {...input}
          name={name}
          value={view.text(name)}
          onChange={({ target }) => onChange({ kind: "type", name, value: target.value })}
          onPaste={trimsPasted ? pasteTrimmed : undefined}
        />
      )}
    </Field>
  ));
}

/** Pastes without the white space around it. */
function pasteTrimmed(event: ClipboardEvent<HTMLInputElement>): void {
  const pasted = event.clipboardData.getData("text/plain");
  const text = trim(pasted);
  if (text === pasted) return;
  event.preventDefault();
  // No other way leaves the length to the field, can be undone, and fires events as if it were typed.
  document.execCommand("insertText", false, text);
}
