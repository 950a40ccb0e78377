import type { ReactNode } from "react";
import type { Answers } from "../inquiry/answers.ts";
import { findProperty, PROPERTY_TYPE_LABELS } from "../inquiry/options.ts";
import type { ChoiceName, FieldName, TextName } from "./fields.ts";
import type { FieldErrors } from "./step-validation.ts";

/**
 * What the questions show. The markup that the server fills has expressions in place of answers (`served-form.tsx`); React
 * takes the page over with `answersView`. Both render the same elements.
 */
export interface FormView {
  /** The answers of the one question that is shown; null while the whole form is shown as served. */
  readonly answers: Answers | null;
  readonly text: (name: TextName) => string;
  /** Renders an option that is chosen or not. */
  readonly withChoice: (name: ChoiceName, id: string, render: (isChosen: boolean) => ReactNode) => ReactNode;
  /** Renders a field or a question with its error, if it has one. */
  readonly withError: (name: FieldName, render: (error?: string) => ReactNode) => ReactNode;
  /** Renders the type that a link has preselected without one of its options, if any. */
  readonly withBareType: (render: (id: string, label: string) => ReactNode) => ReactNode;
}

/** Shows answers, and what is wrong with them. */
export function answersView(answers: Answers, errors: FieldErrors, isServed: boolean): FormView {
  const { propertyType, propertySubType } = answers;
  const property = findProperty(propertyType, propertySubType);
  return {
    answers: isServed ? null : answers,
    text: (name) => answers[name],
    withChoice: (name, id, render) =>
      render(name === "propertyType" ? property?.id === id : answers[name].includes(id)),
    withError: (name, render) => render(errors[name]),
    withBareType: (render) =>
      propertyType === "" || property ? null : render(propertyType, PROPERTY_TYPE_LABELS[propertyType]),
  };
}
