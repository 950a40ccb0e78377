import type { ClipboardEvent } from "react";
import { Field } from "../components/field.tsx";
import { trim } from "../inquiry/validation.ts";
import { TEXT_FIELDS, type TextField, type TextName } from "./fields.ts";
import type { StepProps } from "./question.tsx";

interface Props extends Pick<StepProps, "view" | "onChange"> {
  readonly name: TextName;
  /** Whether white space around what is pasted is left out, which would take the place of what counts. */
  readonly trimsPasted?: boolean;
  /** Whether the operator types it, who needs neither the hint nor their own data. */
  readonly isForCaller?: boolean;
}

/** The field for one of the answers that are typed. */
export function TextInput({ name, trimsPasted, isForCaller, view, onChange }: Props) {
  const { id, label, hint, required, input, maxLength }: TextField = TEXT_FIELDS[name];
  const Tag = (input?.rows ? "textarea" : "input") as "input"; // what is set here, both have
  return view.withError(name, (error) => (
    <Field id={id} label={label} hint={isForCaller ? undefined : hint} error={error} required={required}>
      {(control) => (
        <Tag
          type={input?.rows ? undefined : "text"}
          {...control}
          {...input}
          {...(isForCaller && { autoComplete: "off" })}
          name={name}
          value={view.text(name)}
          maxLength={view.answers ? maxLength : undefined}
          onChange={({ target }) => onChange(target)}
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
