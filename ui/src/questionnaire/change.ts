import type { Answers } from "../inquiry/answers.ts";
import { LOCATION_OPTIONS, type Option, PROBLEM_OPTIONS, type PropertyOption } from "../inquiry/options.ts";
import type { Preselection } from "./query.ts";

/** The answers that are typed. */
export type TextName = "postalCode" | "problemOther" | "locationOther" | "firstName" | "lastName" | "email" | "phone";

/** The answers of which several may be chosen. */
export type ListName = "problems" | "locations";

/** One thing the visitor did. */
export type Change =
  | { readonly kind: "property"; readonly option: PropertyOption }
  | { readonly kind: "text"; readonly name: TextName; readonly value: string }
  | { readonly kind: "toggle"; readonly name: ListName; readonly id: string }
  | { readonly kind: "preselect"; readonly preselection: Preselection };

export const OPTIONS_OF: Readonly<Record<ListName, readonly Option[]>> = {
  problems: PROBLEM_OPTIONS,
  locations: LOCATION_OPTIONS,
};

/** The answers after a change. */
export function change(answers: Answers, action: Change): Answers {
  switch (action.kind) {
    case "property":
      return { ...answers, propertyType: action.option.type, propertySubType: action.option.subtype };
    case "text":
      return { ...answers, [action.name]: action.value };
    case "toggle":
      return { ...answers, [action.name]: toggled(answers[action.name], action.id, OPTIONS_OF[action.name]) };
    case "preselect":
      return preselected(answers, action.preselection);
  }
}

/** The chosen ids in the order of the options, whatever the order of choosing: equal choices make equal records. */
function toggled(chosen: readonly string[], id: string, options: readonly Option[]): string[] {
  const isChosen = (other: string) => chosen.includes(other) !== (other === id);
  return options.map((option) => option.id).filter(isChosen);
}

function preselected(answers: Answers, { property, location }: Preselection): Answers {
  const located =
    location === null || answers.locations.includes(location)
      ? answers
      : change(answers, { kind: "toggle", name: "locations", id: location });
  return property === null ? located : { ...located, propertyType: property.type, propertySubType: property.subtype };
}
