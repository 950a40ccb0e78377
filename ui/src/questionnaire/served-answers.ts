import { type Answers, NO_ANSWERS } from "../inquiry/answers.ts";
import { PROPERTY_OPTIONS, PROPERTY_TYPES } from "../inquiry/options.ts";
import { type AnswersAction, type Preselection, reduceAnswers } from "./answers-reducer.ts";
import { LIST_NAMES, TEXT_NAMES } from "./fields.ts";

/** The contents of the served form when React takes it over. */
export interface ServedAnswers {
  /** What the link has chosen. */
  readonly preselection: Preselection;
  /** What the visitor has typed and chosen since. */
  readonly typed: readonly AnswersAction[];
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
  return { preselection: preselectionOf(inputs), typed: inputs.flatMap(changeOf), intent: root.dataset.intent };
}

/** Returns the answers as they were served, with which React finds what it expects. */
export function answersAsServed({ preselection }: ServedAnswers): Answers {
  return reduceAnswers(NO_ANSWERS, { kind: "preselect", preselection });
}

/** Returns the values of fields that are not in the answers yet. */
export function readTyped(form: HTMLFormElement | null, answers: Answers): AnswersAction[] {
  return TEXT_NAMES.flatMap((name) => {
    const field = form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement) || field.value === answers[name]) return [];
    return [{ kind: "type", name, value: field.value }];
  });
}

function preselectionOf(inputs: readonly HTMLInputElement[]): Preselection {
  const property = inputs.find(({ name, type, defaultChecked }) => {
    return name === "propertyType" && (type === "hidden" || defaultChecked);
  })?.value;
  const type = PROPERTY_TYPES.find((id) => id === property);
  return {
    property: PROPERTY_OPTIONS.find(({ id }) => id === property) ?? (type ? { type, subtype: "" } : null),
    location: inputs.find(({ name, defaultChecked }) => name === "locations" && defaultChecked)?.value ?? null,
  };
}

/** Returns a change for an input that is not as the page was served. */
function changeOf(input: HTMLInputElement): AnswersAction[] {
  const { name, value, type, checked: isTicked } = input;
  if (isTicked === input.defaultChecked && value === input.defaultValue) return [];
  if (type === "radio") {
    const option = PROPERTY_OPTIONS.find(({ id }) => id === value);
    return isTicked && option ? [{ kind: "choose", name: "propertyType", option }] : [];
  }
  const list = LIST_NAMES.find((known) => known === name);
  if (list) return [{ kind: "tick", name: list, id: value, isTicked }];
  const text = TEXT_NAMES.find((known) => known === name);
  return text ? [{ kind: "type", name: text, value }] : [];
}
