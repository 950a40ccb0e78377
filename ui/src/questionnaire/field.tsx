import type { ClipboardEvent, InputHTMLAttributes, ReactNode } from "react";
import { trim } from "../inquiry/validation.ts";

/** What a field can be besides its name and value. */
export type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "autoComplete" | "inputMode" | "maxLength" | "pattern" | "required"
>;

interface FieldProps extends InputProps {
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
  /** Whether white space around what is pasted is left out, which would take the place of what counts. */
  readonly trimsPasted?: boolean;
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

/** Keeps a word together that the browser would break after its first hyphen. */
function unbroken(text: string): ReactNode {
  const [before, after] = text.split("E-Mail-Adresse");
  if (after === undefined) return text;
  return (
    <>
      {before}
      <span className="fact">E-Mail-Adresse</span>
      {after}
    </>
  );
}

/** A labelled input with its hint and its error, tied together for screen readers. */
export function Field({
  name,
  id,
  label,
  value,
  hint,
  error,
  required,
  onChange,
  trimsPasted = false,
  ...input
}: FieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [error && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div className="field" data-invalid={error !== undefined}>
      <div className="field-head">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {required && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
      </div>
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={errorId}>
          {unbroken(error)}
        </p>
      )}
      <input
        className="field-input"
        type="text"
        {...input}
        id={id}
        name={name}
        value={value}
        required={required}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
        onPaste={trimsPasted ? pasteTrimmed : undefined}
      />
    </div>
  );
}
