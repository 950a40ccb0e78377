import type { ReactNode } from "react";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly required?: boolean | undefined;
  /** Renders the control. */
  readonly children: (control: Control) => ReactNode;
}

/** The props that a control gets from its field. */
export interface Control extends Described {
  readonly id: string;
  readonly className: string;
  readonly required?: boolean | undefined;
}

interface Described {
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

/** A labelled control with its hint and its error, linked for screen readers. */
export function Field({ id, label, hint, error, required, children }: FieldProps) {
  return (
    <div className="field" data-invalid={error !== undefined}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
      {children({ id, className: "field-input", required, ...describedBy(id, hint, error) })}
    </div>
  );
}

type Notes = Pick<FieldProps, "id" | "hint" | "error">;

/** Renders a field's hint and its error. */
export function FieldNotes({ id, hint, error }: Notes) {
  return (
    <>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {typeof error === "string" ? unbroken(error) : error}
        </p>
      )}
    </>
  );
}

/** Returns the attributes that link a control to the notes of its field. */
export function describedBy(id: string, hint: ReactNode, error: ReactNode): Described {
  const ids = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return { "aria-invalid": error ? true : undefined, "aria-describedby": ids || undefined };
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
