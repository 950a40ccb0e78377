import type { Answers } from "../inquiry/answers.ts";
import type { PropertyOption, PropertyType } from "../inquiry/options.ts";
import { LIST_FIELDS, type ListName, type TextName } from "./fields.ts";

/** What the visitor did to one answer. */
export type AnswerAction =
  | { readonly kind: "choose"; readonly name: "propertyType"; readonly option: PropertyOption }
  | { readonly kind: "type"; readonly name: TextName; readonly value: string }
  | { readonly kind: "tick"; readonly name: ListName; readonly id: string; readonly isTicked: boolean };

/** What a link to the questionnaire has chosen in advance. The server reads it (`docs/behaviour.md`, "The questionnaire"). */
export interface Preselection {
  readonly property: { readonly type: PropertyType; readonly subtype: string } | null;
  readonly location: string | null;
}

/** Everything that changes answers: the visitor, or the address of the page. */
export type AnswersAction = AnswerAction | { readonly kind: "preselect"; readonly preselection: Preselection };

/** Returns the answers after an action. */
export function reduceAnswers(answers: Answers, action: AnswersAction): Answers {
  switch (action.kind) {
    case "choose":
      return { ...answers, propertyType: action.option.type, propertySubType: action.option.subtype };
    case "type":
      return { ...answers, [action.name]: action.value };
    case "tick":
      return { ...answers, [action.name]: ticked(answers[action.name], action) };
    case "preselect":
      return preselected(answers, action.preselection);
  }
}

/** Returns the chosen ids in the order of the options, however they were chosen: equal choices make equal records. */
function ticked(chosen: readonly string[], { name, id, isTicked }: Extract<AnswerAction, { kind: "tick" }>): string[] {
  const isChosen = (other: string) => (other === id ? isTicked : chosen.includes(other));
  return LIST_FIELDS[name].options.map((option) => option.id).filter(isChosen);
}

function preselected(answers: Answers, { property, location }: Preselection): Answers {
  const located =
    location === null
      ? answers
      : reduceAnswers(answers, { kind: "tick", name: "locations", id: location, isTicked: true });
  return property === null ? located : { ...located, propertyType: property.type, propertySubType: property.subtype };
}
