import type { KeyboardEvent, MouseEvent } from "react";
import tiles from "../../generated/tiles.json" with { type: "json" };
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { PROPERTY_OPTIONS, type PropertyOption } from "../inquiry/options.ts";
import { PROPERTY_FIELD } from "./fields.ts";
import { Question, type StepProps } from "./question.tsx";

/**
 * Asks for the kind of building, with tiles. A pointer, Space or Enter chooses one and moves on, while arrow keys only
 * move the choice (WCAG 3.2.2).
 */
export function PropertyQuestion(props: StepProps) {
  const { view } = props;
  return view.withError("propertyType", (error) => (
    <Question name="propertyType" error={error} isChoice {...props}>
      {view.withBareType((id, label) => (
        <>
          <p className="soft" data-above="2">{`Vorausgewählt: ${label}. Wählen Sie genauer oder gehen Sie weiter.`}</p>
          <input type="hidden" name="propertyType" value={id} />
        </>
      ))}
      <div className="choices">
        {PROPERTY_OPTIONS.map((option, index) =>
          view.withChoice("propertyType", option.id, (isChosen) => (
            <Tile key={option.id} option={option} index={index} isChosen={isChosen} {...props} />
          )),
        )}
      </div>
    </Question>
  ));
}

interface TileProps extends StepProps {
  readonly option: PropertyOption;
  readonly index: number;
  readonly isChosen: boolean;
}

/** A radio button that looks like a large tile. Its accessible name is the label without the description. */
function Tile({ option, index, isChosen, onChange, onChosen }: TileProps) {
  const id = `gebaeude-${option.id}`;
  const choose = () => onChange({ name: "propertyType", value: option.id, checked: true });
  const press = (event: KeyboardEvent) => {
    // Enter would submit the form with the previous choice, and in Chromium and WebKit Space does nothing after an arrow
    // key has moved the choice.
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
    onChosen();
  };
  // Browsers also click the radio button when an arrow key moves the choice, but then the click count is 0.
  const pointed = { onClick: ({ detail }: MouseEvent) => detail > 0 && onChosen() };
  return (
    <label className="choice choice-building" {...pointed}>
      <input
        className="choice-input"
        type="radio"
        id={index === 0 ? PROPERTY_FIELD.id : undefined}
        name="propertyType"
        value={option.id}
        checked={isChosen}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-description`}
        onChange={choose}
        onKeyDown={press}
      />
      <FormDrawing name={`buildings/${option.id}`} className="choice-drawing" />
      <span className="choice-label" id={`${id}-label`}>
        {option.label}
      </span>
      <span className="hint" id={`${id}-description`}>
        {tiles.find((tile) => tile.id === option.id)?.description}
      </span>
    </label>
  );
}
