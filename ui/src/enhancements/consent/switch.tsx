import type { CookieSettings } from "./cookie-settings.ts";

interface Props {
  name: keyof CookieSettings;
  label: string;
  hint: string;
  /** It is on, and stays so. */
  isLocked?: boolean;
}

/** Renders a check box that looks like a switch and is announced as one. */
export function Switch({ name, label, hint, isLocked = false }: Props) {
  const id = `auswahl-${name}`;
  return (
    <div className="switch">
      <input
        id={id}
        name={name}
        type="checkbox"
        // A check box tells its state without aria-checked.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        defaultChecked={isLocked}
        disabled={isLocked}
        aria-describedby={`${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      <span className="switch-hint" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}
