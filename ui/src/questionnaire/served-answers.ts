import { type Answers, NO_ANSWERS } from "../inquiry/answers.ts";
import { PROPERTY_OPTIONS, PROPERTY_TYPES } from "../inquiry/options.ts";
import { type AnswerAction, reduceAnswers } from "./answers-reducer.ts";
import { LIST_NAMES, TEXT_NAMES } from "./fields.ts";

/** The contents of the served form when React takes it over. */
export interface ServedAnswers {
  /** What the link has chosen. The server reads it (`docs/behaviour.md`, "The questionnaire"). */
  readonly preselected: readonly AnswerAction[];
  /** What the visitor has typed and chosen since. */
  readonly typed: readonly AnswerAction[];
  /** What the visitor wants to do next, which needs React (`inline/steps.js`). */
  readonly intent: string | undefined;
}

/** Says whether React leaves a form as it is: it came back from the server, is being sent there, or its script has failed. */
export function staysServed(container: Element): boolean {
  const root = container.closest<HTMLElement>("[data-mode]");
  return root !== null && (root.dataset.mode !== "step" || root.dataset.intent === "sent");
}

/** Reads the served form; null if it is not there any more. */
export function readServedAnswers(): ServedAnswers | null {
  const root = document.querySelector<HTMLElement>('[data-mode="step"]');
  const form = root?.querySelector("form");
  if (!root || !form) return null;
  const inputs = [...form.querySelectorAll("input")];
  const isPreselected = ({ name, type, defaultChecked }: HTMLInputElement) =>
    defaultChecked || (name === "propertyType" && type === "hidden");
  const isChanged = ({ checked, defaultChecked, value, defaultValue }: HTMLInputElement) =>
    checked !== defaultChecked || value !== defaultValue;
  return {
    preselected: inputs.filter(isPreselected).flatMap((input) => answerOf(input, true)),
    typed: inputs.filter(isChanged).flatMap((input) => answerOf(input, input.checked)),
    intent: root.dataset.intent,
  };
}

/** Returns the answers as they were served, with which React finds what it expects. */
export function answersAsServed({ preselected }: ServedAnswers): Answers {
  return preselected.reduce(reduceAnswers, NO_ANSWERS);
}

/** Returns the values of fields that are not in the answers yet. */
export function readTyped(form: HTMLFormElement | null, answers: Answers): AnswerAction[] {
  return TEXT_NAMES.flatMap((name) => {
    const field = form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement) || field.value === answers[name]) return [];
    return [{ kind: "type", name, value: field.value }];
  });
}

/** Returns what an input says, if it is one of an answer. */
function answerOf({ name, value }: HTMLInputElement, isTicked: boolean): AnswerAction[] {
  if (name === "propertyType") {
    const type = PROPERTY_TYPES.find((id) => id === value);
    const option = PROPERTY_OPTIONS.find(({ id }) => id === value) ?? (type && { type, subtype: "" });
    return isTicked && option ? [{ kind: "choose", name, type: option.type, subtype: option.subtype }] : [];
  }
  const list = LIST_NAMES.find((known) => known === name);
  if (list) return [{ kind: "tick", name: list, id: value, isTicked }];
  const text = TEXT_NAMES.find((known) => known === name);
  return text ? [{ kind: "type", name: text, value }] : [];
}
