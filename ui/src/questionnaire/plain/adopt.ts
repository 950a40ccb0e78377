import { PROPERTY_OPTIONS } from "../../inquiry/options.ts";
import type { AnswersAction, ListName, TextName } from "../answers-reducer.ts";
import { FIRST_STEP, STEPS, type Step } from "../steps.ts";

/** What a visitor did to the plain form before the other form took its place. */
export interface TypedAnswers {
  /** What was typed and chosen. */
  readonly actions: readonly AnswersAction[];
  /** The step in which something has the focus; null if nothing has. */
  readonly step: Step | null;
  /** The element that has the focus, and where its caret stands. */
  readonly focus: { readonly selector: string; readonly caret: readonly [number, number] | null } | null;
  /** What the visitor wanted to do next. */
  readonly intent: "on" | "back" | null;
}

const TEXTS: readonly TextName[] = [
  "postalCode",
  "problemOther",
  "locationOther",
  "firstName",
  "lastName",
  "email",
  "phone",
];
const LISTS: readonly ListName[] = ["problems", "locations"];

/**
 * Says whether the plain form goes on as it is: it came back from the server, with what is wrong in it, or is being sent there.
 * What was sent must not become a draft.
 */
export function staysPlain(container: ParentNode): boolean {
  return container.querySelector('.plain-form:is([data-mode="returned"], [data-intent="sent"])') !== null;
}

/** Reads what stands in the plain form; null where there is none. */
export function adoptTypedAnswers(container: ParentNode): TypedAnswers | null {
  const root = container.querySelector<HTMLElement>(".plain-form");
  const form = root?.querySelector("form");
  if (!root || !form) return null;
  const active = form.contains(document.activeElement) ? document.activeElement : null;
  const { intent } = root.dataset;
  return {
    actions: actionsOf(form),
    step: stepOf(active),
    focus: active instanceof HTMLInputElement && active.name !== "" ? focusOf(active) : null,
    intent: intent === "on" || intent === "back" ? intent : null,
  };
}

/** Returns a change for everything that is not as the page was served. */
function actionsOf(form: HTMLFormElement): AnswersAction[] {
  const inputs = [...form.querySelectorAll("input")];
  return inputs.flatMap((input): AnswersAction[] => {
    const { name, value, type } = input;
    if (type === "radio" && input.checked && !input.defaultChecked) {
      const option = PROPERTY_OPTIONS.find(({ id }) => id === value);
      return option ? [{ kind: "choose", name: "propertyType", option }] : [];
    }
    const list = LISTS.find((known) => known === name);
    if (list && input.checked !== input.defaultChecked) return [{ kind: "toggle", name: list, id: value }];
    const text = TEXTS.find((known) => known === name);
    return text && value !== input.defaultValue ? [{ kind: "type", name: text, value }] : [];
  });
}

function stepOf(element: Element | null): Step | null {
  const text = element?.closest<HTMLElement>(".plain-form-step")?.dataset.step;
  return STEPS.find((step) => String(step) === text) ?? (element ? FIRST_STEP : null);
}

/** Inputs of the same name and, among several, of the same value are the same question in both forms. */
function focusOf(input: HTMLInputElement): TypedAnswers["focus"] {
  const isOneOfSeveral = input.type === "radio" || input.type === "checkbox";
  const { selectionStart, selectionEnd } = input;
  return {
    selector: `[name="${input.name}"]${isOneOfSeveral ? `[value="${input.value}"]` : ""}`,
    // E-mail addresses have no caret that scripts may read.
    caret: isOneOfSeveral || selectionStart === null ? null : [selectionStart, selectionEnd ?? selectionStart],
  };
}
