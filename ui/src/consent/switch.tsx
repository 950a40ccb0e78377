import { useId } from "react";

interface Props {
  label: string;
  hint: string;
  isOn: boolean;
  isLocked?: boolean;
  onChange?: (isOn: boolean) => void;
}

/** Renders a check box that looks like a switch and is announced as one. */
export function Switch({ label, hint, isOn, isLocked = false, onChange }: Props) {
  const id = useId();
  return (
    <div className="switch">
      <input
        id={id}
        type="checkbox"
        // A check box tells its state without aria-checked.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        checked={isOn}
        disabled={isLocked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <span className="switch-hint" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}
