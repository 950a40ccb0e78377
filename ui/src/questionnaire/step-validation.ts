import type { Answers } from "../inquiry/answers.ts";
import { OTHER } from "../inquiry/options.ts";
import { MESSAGES, type Message } from "../inquiry/rules.ts";
import { isBlank } from "../inquiry/validation.ts";
import {
  type FieldName,
  LIST_FIELDS,
  LIST_NAMES,
  TEXT_FIELDS,
  TEXT_NAMES,
  type TextField,
  type TextName,
} from "./fields.ts";
import { CONTACT_STEP, FIRST_STEP, STEPS, type Step } from "./steps.ts";

/** The error texts at invalid fields. */
export type FieldErrors = Partial<Readonly<Record<FieldName, string>>>;

/** The errors of a step: the toast, and the text at each invalid field. */
export interface ValidationError {
  readonly step: Step;
  readonly title: string;
  readonly description?: string;
  readonly fields: FieldErrors;
}

/**
 * Returns the errors of a step; null if it is valid (`docs/behaviour.md`, "Validation"). Every invalid field gets its
 * text. The toast names the most serious error: something missing, otherwise the first in the form.
 */
export function validateStep(step: Step, answers: Answers): ValidationError | null {
  if (step === FIRST_STEP) return validateProperty(answers);
  const invalid = TEXT_NAMES.filter((name) => {
    const field: TextField = TEXT_FIELDS[name];
    return field.step === step && isAsked(name, answers) && !field.isValid(answers[name]);
  });
  const [first] = invalid;
  if (first === undefined) return null;
  const isMissing = (name: TextName) => step === CONTACT_STEP && isBlank(answers[name]);
  const texts = invalid.map((name) => {
    const { message, messageFor = () => message }: TextField = TEXT_FIELDS[name];
    return [name, fieldText(messageFor(answers[name]), isMissing(name))];
  });
  const { title, description } = invalid.some(isMissing) ? MESSAGES.required : TEXT_FIELDS[first].message;
  return { step, title, ...(description !== null && { description }), fields: Object.fromEntries(texts) };
}

/** Returns the errors of the first invalid step, because a deep link may have skipped any of them. */
export function validateAll(answers: Answers): ValidationError | null {
  for (const step of STEPS) {
    const error = validateStep(step, answers);
    if (error !== null) return error;
  }
  return null;
}

function validateProperty(answers: Answers): ValidationError | null {
  const { title } = MESSAGES.property_type;
  return answers.propertyType === "" ? { step: FIRST_STEP, title, fields: { propertyType: title } } : null;
}

/** A free text is only asked for if Sonstiges is ticked. */
function isAsked(name: TextName, answers: Answers): boolean {
  const list = LIST_NAMES.find((one) => LIST_FIELDS[one].other === name);
  return list === undefined || answers[list].includes(OTHER);
}

/** The field repeats the whole toast, because toasts disappear. */
function fieldText({ title, description, missing }: Message, isMissing: boolean): string {
  if (isMissing && missing !== null) return missing;
  return description === null ? title : `${title.replace(/\.$/, "")}. ${description}`;
}

/** Returns the error without a field that has changed since; null if nothing remains. */
export function withoutField<E extends ValidationError>(error: E | null, name: string): E | null {
  if (error === null) return null;
  const left = Object.entries(error.fields).filter(([field]) => field !== name);
  return left.length === 0 ? null : { ...error, fields: Object.fromEntries(left) };
}
