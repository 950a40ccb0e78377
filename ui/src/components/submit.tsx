import type { ReactNode } from "react";

interface SubmitProps {
  look?: string;
  children: ReactNode;
}

/** A button that sends the form it is in. */
export function Submit({ look = "button-plain", children }: SubmitProps) {
  return (
    <button className={look} type="submit">
      {children}
    </button>
  );
}

interface PostProps extends SubmitProps {
  action: string;
  /** Hidden fields, by name. */
  sends?: Readonly<Record<string, string>>;
  field?: { label: string; name: string; maxLength: number };
}

/** A form that consists of a button and at most one field. */
export function PostButton({ action, sends = {}, field, ...button }: PostProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(sends).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {field && (
        <label className="field-label" data-above="3" data-below="3">
          {field.label} <input className="field-input" name={field.name} maxLength={field.maxLength} required />
        </label>
      )}
      <Submit {...button} />
    </form>
  );
}
