import { PROPERTY_OPTIONS, type PropertyOption } from "../../inquiry/options.ts";
import { FIELD_IDS } from "../field-ids.ts";
import { Question } from "../question.tsx";
import { QUESTIONS } from "../questions.ts";
import type { StepProps } from "../step-props.ts";
import { Tile } from "../tile.tsx";
import { useTileChoice } from "../use-tile-choice.ts";

export function PropertyStep({ view, isLocked, onChange, onChosen }: StepProps) {
  const choose = (option: PropertyOption) => onChange({ kind: "choose", name: "propertyType", option });
  const { groupEvents, tileEvents } = useTileChoice(choose, onChosen);
  return view.withError("propertyType", (error) => (
    <Question {...QUESTIONS.property} name="propertyType" error={error} isChoice view={view} isLocked={isLocked}>
      {view.withBareType((id, label) => (
        <>
          <p className="question-hint">{`Vorausgewählt: ${label}. Wählen Sie genauer oder gehen Sie weiter.`}</p>
          <input type="hidden" name="propertyType" value={id} />
        </>
      ))}
      <div className="choice-buildings" {...groupEvents}>
        {PROPERTY_OPTIONS.map((option, index) =>
          view.withChoice("propertyType", option.id, (isChosen) => (
            <Tile
              key={option.id}
              option={option}
              isChosen={isChosen}
              {...tileEvents(option)}
              {...(index === 0 && { inputId: FIELD_IDS.propertyType })}
            />
          )),
        )}
      </div>
    </Question>
  ));
}
