import type { KeyboardEvent } from "react";
import tiles from "../../generated/tiles.json" with { type: "json" };
import type { PropertyOption } from "../inquiry/options.ts";
import { FormDrawing } from "../drawings/form-drawing.tsx";

interface TileProps {
  readonly option: PropertyOption;
  readonly isChosen: boolean;
  readonly inputId?: string;
  readonly onClick: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A radio button in the form of a large tile. Its accessible name is the label without the description. */
export function Tile({ option, isChosen, inputId, onClick, onKeyDown }: TileProps) {
  const id = `gebaeude-${option.id}`;
  return (
    <label className="choice-building">
      <input
        className="choice-building-input"
        type="radio"
        id={inputId}
        name="propertyType"
        value={option.id}
        checked={isChosen}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-description`}
        onChange={() => {}}
        onClick={onClick}
        onKeyDown={onKeyDown}
      />
      <FormDrawing name={`buildings/${option.id}`} className="choice-drawing" />
      <span className="choice-building-label" id={`${id}-label`}>
        {option.label}
      </span>
      <span className="choice-building-description" id={`${id}-description`}>
        {tiles.find((tile) => tile.id === option.id)?.description}
      </span>
    </label>
  );
}
