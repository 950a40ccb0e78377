import { type KeyboardEvent, useRef } from "react";
import tiles from "../../generated/tiles.json" with { type: "json" };
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { PROPERTY_OPTIONS, type PropertyOption } from "../inquiry/options.ts";
import { PROPERTY_FIELD } from "./fields.ts";
import { Question, type StepProps } from "./question.tsx";

/** Asks for the kind of building: one of the tiles, which moves on. */
export function PropertyQuestion(props: StepProps) {
  const { view, onChange, onChosen } = props;
  const choose = ({ type, subtype }: PropertyOption) =>
    onChange({ kind: "choose", name: "propertyType", type, subtype });
  const { groupEvents, tileEvents } = useTileChoice(choose, onChosen);
  return view.withError("propertyType", (error) => (
    <Question name="propertyType" error={error} isChoice {...props}>
      {view.withBareType((id, label) => (
        <>
          <p className="soft" data-above="2">{`Vorausgewählt: ${label}. Wählen Sie genauer oder gehen Sie weiter.`}</p>
          <input type="hidden" name="propertyType" value={id} />
        </>
      ))}
      <div className="choices" {...groupEvents}>
        {PROPERTY_OPTIONS.map((option, index) =>
          view.withChoice("propertyType", option.id, (isChosen) => (
            <Tile
              key={option.id}
              option={option}
              isChosen={isChosen}
              inputId={index === 0 ? PROPERTY_FIELD.id : undefined}
              {...tileEvents(option)}
            />
          )),
        )}
      </div>
    </Question>
  ));
}

interface TileProps {
  readonly option: PropertyOption;
  readonly isChosen: boolean;
  readonly inputId: string | undefined;
  readonly onClick: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A radio button in the form of a large tile. Its accessible name is the label without the description. */
function Tile({ option, isChosen, inputId, onClick, onKeyDown }: TileProps) {
  const id = `gebaeude-${option.id}`;
  return (
    <label className="choice choice-building">
      <input
        className="choice-input"
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
      <span className="choice-label" id={`${id}-label`}>
        {option.label}
      </span>
      <span className="hint" id={`${id}-description`}>
        {tiles.find((tile) => tile.id === option.id)?.description}
      </span>
    </label>
  );
}

/**
 * Returns event handlers that let a pointer, Space or Enter choose a tile and move on, while arrow keys only move the
 * choice (WCAG 3.2.2). To tell them apart: when an arrow key reaches a radio button, the browser clicks it while the key
 * is down.
 */
function useTileChoice(choose: (option: PropertyOption) => void, goOn: () => void) {
  const isArrowDown = useRef(false);

  const groupEvents = {
    onKeyDown: ({ key }: KeyboardEvent) => {
      isArrowDown.current = key.startsWith("Arrow");
    },
    onKeyUp: () => {
      isArrowDown.current = false;
    },
    onPointerDown: () => {
      isArrowDown.current = false;
    },
  };

  const tileEvents = (option: PropertyOption) => ({
    onClick: () => {
      choose(option);
      if (!isArrowDown.current) goOn();
    },
    onKeyDown: (event: KeyboardEvent) => {
      // Enter would submit the form with the earlier choice, and Space does nothing in Chromium and WebKit where an arrow has
      // already moved the choice.
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(option);
      goOn();
    },
  });

  return { groupEvents, tileEvents };
}
