import type { Answers } from "../inquiry/answers.ts";
import { PROPERTY_OPTIONS, PROPERTY_TYPES } from "../inquiry/options.ts";
import { LIST_FIELDS, LIST_NAMES, TEXT_FIELDS } from "./fields.ts";

/** The state of a form input: its `name`, its `value`, and whether it is checked. */
export type InputState = Pick<HTMLInputElement, "name" | "value" | "checked">;

/** Returns the answers updated with an input's state, if it belongs to one of them. */
export function withInput(answers: Answers, { name, value, checked }: InputState): Answers {
  if (name === "propertyType") return checked ? { ...answers, ...propertyOf(value) } : answers;
  const list = LIST_NAMES.find((known) => known === name);
  if (list) {
    // In the order of the options, however they were ticked, so that equal choices make equal records.
    const isChosen = (id: string) => (id === value ? checked : answers[list].includes(id));
    return { ...answers, [list]: LIST_FIELDS[list].options.map(({ id }) => id).filter(isChosen) };
  }
  return name in TEXT_FIELDS ? { ...answers, [name]: value } : answers;
}

/** Returns the type and subtype of a tile, or the type that a link has preselected without one of its options. */
function propertyOf(id: string): Pick<Answers, "propertyType" | "propertySubType"> {
  const option = PROPERTY_OPTIONS.find((one) => one.id === id);
  const propertyType = option?.type ?? PROPERTY_TYPES.find((type) => type === id) ?? "";
  return { propertyType, propertySubType: option?.subtype ?? "" };
}
