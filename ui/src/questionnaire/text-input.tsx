import type { ClipboardEvent } from "react";
import { Field } from "../components/field.tsx";
import { trim } from "../inquiry/validation.ts";
import { TEXT_FIELDS, type TextField, type TextName } from "./fields.ts";
import type { StepProps } from "./question.tsx";

interface Props extends Pick<StepProps, "view" | "onChange"> {
  readonly name: TextName;
  /** Whether pasting removes surrounding white space, which would count towards the maximum length. */
  readonly trimsPasted?: boolean;
  /** The hint, possibly empty, for the operator, who fills it in for a caller and so needs no autofill. */
  readonly forCaller?: string;
}

/** A text field of the questionnaire. */
export function TextInput({ name, trimsPasted, forCaller, view, onChange }: Props) {
  const { id, label, hint, required, input, maxLength }: TextField = TEXT_FIELDS[name];
  const Tag = (input?.rows ? "textarea" : "input") as "input"; // both have every attribute that is set here
  return view.withError(name, (error) => (
    <Field id={id} label={label} hint={forCaller ?? hint} error={error} required={required}>
      {(control) => (
        <Tag
          type={input?.rows ? undefined : "text"}
          {...control}
          {...input}
          {...(forCaller !== undefined && { autoComplete: "off" })}
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

/** Pastes without surrounding white space. */
function pasteTrimmed(event: ClipboardEvent<HTMLInputElement>): void {
  const pasted = event.clipboardData.getData("text/plain");
  const text = trim(pasted);
  if (text === pasted) return;
  event.preventDefault();
  // Only this respects the maximum length, can be undone, and fires events like typing.
  document.execCommand("insertText", false, text);
}
