import type { Answers } from "../inquiry/answers.ts";
import { TEXT_NAMES } from "./fields.ts";
import type { InputState } from "./input-answers.ts";

/** Returns whether a form stays as served: the server rejected it, it is being submitted, or its script has failed. */
export function staysServed({ dataset }: HTMLElement): boolean {
  return dataset.mode !== "step" || dataset.intent === "sent";
}

/**
 * Returns what the link has preselected in the served form below `root`. The server reads it (`docs/behaviour.md`, "The
 * questionnaire").
 */
export function readPreselected(root: HTMLElement): InputState[] {
  const isPreselected = ({ name, type, defaultChecked }: HTMLInputElement) =>
    defaultChecked || (name === "propertyType" && type === "hidden");
  return inputsBelow(root)
    .filter(isPreselected)
    .map(({ name, value }) => ({ name, value, checked: true }));
}

/** Returns what the visitor has typed and chosen since the form below `root` was served. */
export function readChanged(root: HTMLElement): InputState[] {
  return inputsBelow(root)
    .filter(({ checked, defaultChecked, value, defaultValue }) => checked !== defaultChecked || value !== defaultValue)
    .map(({ name, value, checked }) => ({ name, value, checked }));
}

function inputsBelow(root: HTMLElement): HTMLInputElement[] {
  return [...root.querySelectorAll<HTMLInputElement>("input, textarea")];
}

/** Returns the fields whose values are not yet in the answers. */
export function readTyped(form: HTMLFormElement | null, answers: Answers): InputState[] {
  return TEXT_NAMES.flatMap((name) => {
    const field = form?.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | null | undefined;
    return field && field.value !== answers[name] ? [{ checked: true, name, value: field.value }] : [];
  });
}
