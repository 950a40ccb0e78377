import { FormDrawing } from "../drawings/form-drawing.tsx";
import type { Option } from "../inquiry/options.ts";
import type { ListName } from "./answers-reducer.ts";

interface OptionBoxProps {
  readonly name: ListName;
  readonly option: Option;
  readonly isChosen: boolean;
  readonly id?: string;
  readonly onChange: (isTicked: boolean) => void;
}

/** A check box in the form of a tile. */
export function OptionBox({ name, option, isChosen, id, onChange }: OptionBoxProps) {
  return (
    <label className="choice">
      <input
        className="choice-input"
        type="checkbox"
        id={id}
        name={name}
        value={option.id}
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
      />
      <FormDrawing name={`${name}/${option.id}`} className="choice-drawing" />
      <span className="choice-label">{option.label}</span>
    </label>
  );
}
