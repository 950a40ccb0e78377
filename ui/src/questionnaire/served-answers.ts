import { type Answers, NO_ANSWERS } from "../inquiry/answers.ts";
import { TEXT_NAMES } from "./fields.ts";
import { type InputState, withInput } from "./input-answers.ts";

/** The contents of the served form when React takes it over. */
export interface ServedAnswers {
  /** What the link has preselected. The server reads it (`docs/behaviour.md`, "The questionnaire"). */
  readonly preselected: readonly InputState[];
  /** What the visitor has typed and chosen since. */
  readonly typed: readonly InputState[];
  /** The visitor's next action, which needs React (`inline/steps.js`). */
  readonly intent: string | undefined;
}

/** Returns whether a form stays as served: the server rejected it, it is being submitted, or its script has failed. */
export function staysServed({ dataset }: HTMLElement): boolean {
  return dataset.mode !== "step" || dataset.intent === "sent";
}

/** Reads the served form below the element that defines which part is visible. */
export function readServedAnswers(root: HTMLElement): ServedAnswers {
  const inputs = [...root.querySelectorAll<HTMLInputElement>("input, textarea")];
  const isPreselected = ({ name, type, defaultChecked }: HTMLInputElement) =>
    defaultChecked || (name === "propertyType" && type === "hidden");
  const isChanged = ({ checked, defaultChecked, value, defaultValue }: HTMLInputElement) =>
    checked !== defaultChecked || value !== defaultValue;
  return {
    preselected: inputs.filter(isPreselected).map(({ name, value }) => ({ name, value, checked: true })),
    typed: inputs.filter(isChanged).map(({ name, value, checked }) => ({ name, value, checked })),
    intent: root.dataset.intent,
  };
}

/** Returns the answers as served, which the first render must match. */
export function answersAsServed({ preselected }: ServedAnswers): Answers {
  return preselected.reduce(withInput, NO_ANSWERS);
}

/** Returns the fields whose values are not yet in the answers. */
export function readTyped(form: HTMLFormElement | null, answers: Answers): InputState[] {
  return TEXT_NAMES.flatMap((name) => {
    const field = form?.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | null | undefined;
    return field && field.value !== answers[name] ? [{ checked: true, name, value: field.value }] : [];
  });
}
