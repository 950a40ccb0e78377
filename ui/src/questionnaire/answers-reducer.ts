import type { Answers } from "../inquiry/answers.ts";
import { LOCATION_OPTIONS, type Option, PROBLEM_OPTIONS, type PropertyOption } from "../inquiry/options.ts";
import type { Preselection } from "./query.ts";

/** The answers that are typed. */
export type TextName = "postalCode" | "problemOther" | "locationOther" | "firstName" | "lastName" | "email" | "phone";

/** The answers that are lists of options. */
export type ListName = "problems" | "locations";

/** What the visitor did to one answer. */
export type AnswerAction =
  | { readonly kind: "choose"; readonly name: "propertyType"; readonly option: PropertyOption }
  | { readonly kind: "type"; readonly name: TextName; readonly value: string }
  | { readonly kind: "toggle"; readonly name: ListName; readonly id: string };

/** Everything that changes answers: the visitor, or the address of the page. */
export type AnswersAction = AnswerAction | { readonly kind: "preselect"; readonly preselection: Preselection };

export const OPTIONS_OF: Readonly<Record<ListName, readonly Option[]>> = {
  problems: PROBLEM_OPTIONS,
  locations: LOCATION_OPTIONS,
};

/** Returns the answers after an action. */
export function reduceAnswers(answers: Answers, action: AnswersAction): Answers {
  switch (action.kind) {
    case "choose":
      return { ...answers, propertyType: action.option.type, propertySubType: action.option.subtype };
    case "type":
      return { ...answers, [action.name]: action.value };
    case "toggle":
      return { ...answers, [action.name]: toggled(answers[action.name], action.id, OPTIONS_OF[action.name]) };
    case "preselect":
      return preselected(answers, action.preselection);
  }
}

/** Returns the chosen ids in the order of the options, however they were chosen: equal choices make equal records. */
function toggled(chosen: readonly string[], id: string, options: readonly Option[]): string[] {
  const isChosen = (other: string) => chosen.includes(other) !== (other === id);
  return options.map((option) => option.id).filter(isChosen);
}

function preselected(answers: Answers, { property, location }: Preselection): Answers {
  const located =
    location === null || answers.locations.includes(location)
      ? answers
      : reduceAnswers(answers, { kind: "toggle", name: "locations", id: location });
  return property === null ? located : { ...located, propertyType: property.type, propertySubType: property.subtype };
}
