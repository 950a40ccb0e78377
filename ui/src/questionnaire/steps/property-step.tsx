import { findProperty, PROPERTY_OPTIONS, PROPERTY_TYPE_LABELS, type PropertyOption } from "../../inquiry/options.ts";
import { Question } from "../question.tsx";
import { QUESTIONS } from "../questions.ts";
import { Tile } from "../tile.tsx";
import { useTileChoice } from "../use-tile-choice.ts";
import type { StepProps } from "./step-props.ts";

interface PropertyStepProps extends StepProps {
  readonly onChosen: () => void;
}

export function PropertyStep({ answers, errors, isLocked, onChange, onChosen }: PropertyStepProps) {
  const { propertyType, propertySubType } = answers;
  const chosen = findProperty(propertyType, propertySubType);
  const choose = (option: PropertyOption) => onChange({ kind: "choose", name: "propertyType", option });
  const { groupEvents, tileEvents } = useTileChoice(choose, onChosen);
  return (
    <Question {...QUESTIONS.property} choice={{ error: errors.propertyType }} isLocked={isLocked}>
      {propertyType !== "" && chosen === undefined && (
        <p className="question-hint">
          Vorausgewählt: {PROPERTY_TYPE_LABELS[propertyType]}. Wählen Sie genauer oder gehen Sie weiter.
        </p>
      )}
      <div className="choice-buildings" {...groupEvents}>
        {PROPERTY_OPTIONS.map((option) => (
          <Tile key={option.id} option={option} isChosen={option === chosen} {...tileEvents(option)} />
        ))}
      </div>
    </Question>
  );
}
