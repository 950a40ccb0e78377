import type { Answers } from "../inquiry/answers.ts";
import type { PropertyType } from "../inquiry/options.ts";
import { LIST_FIELDS, type ListName, type TextName } from "./fields.ts";

/** One answer that changes. */
export type AnswerAction =
  | { readonly kind: "choose"; readonly name: "propertyType"; readonly type: PropertyType; readonly subtype: string }
  | { readonly kind: "type"; readonly name: TextName; readonly value: string }
  | { readonly kind: "tick"; readonly name: ListName; readonly id: string; readonly isTicked: boolean };

/** Returns the answers after an action. */
export function reduceAnswers(answers: Answers, action: AnswerAction): Answers {
  switch (action.kind) {
    case "choose":
      return { ...answers, propertyType: action.type, propertySubType: action.subtype };
    case "type":
      return { ...answers, [action.name]: action.value };
    case "tick":
      return { ...answers, [action.name]: ticked(answers[action.name], action) };
  }
}

/** Returns the chosen ids in the order of the options, however they were chosen: equal choices make equal records. */
function ticked(chosen: readonly string[], { name, id, isTicked }: Extract<AnswerAction, { kind: "tick" }>): string[] {
  const isChosen = (other: string) => (other === id ? isTicked : chosen.includes(other));
  return LIST_FIELDS[name].options.map((option) => option.id).filter(isChosen);
}
