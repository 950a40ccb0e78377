import type { ReactNode } from "react";
import type { Answers } from "../inquiry/answers.ts";
import { findProperty, PROPERTY_TYPE_LABELS } from "../inquiry/options.ts";
import type { ChoiceName, FieldName, TextName } from "./fields.ts";
import type { FieldErrors } from "./step-validation.ts";

/**
 * What the questions show. In the markup that the server fills in, expressions take the place of answers
 * (`served-form.tsx`); React takes over the page with `answersView`. Both render the same elements.
 */
export interface FormView {
  /** The answers of the only question shown; null while the whole form is shown as served. */
  readonly answers: Answers | null;
  readonly text: (name: TextName) => string;
  /** Renders an option, which may be chosen. */
  readonly withChoice: (name: ChoiceName, id: string, render: (isChosen: boolean) => ReactNode) => ReactNode;
  /** Renders a field or a question with its error, if any. */
  readonly withError: (name: FieldName, render: (error?: string) => ReactNode) => ReactNode;
  /** Renders the type that a link has preselected without one of its options, if any. */
  readonly withBareType: (render: (id: string, label: string) => ReactNode) => ReactNode;
}

/** Shows answers and their errors. */
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
