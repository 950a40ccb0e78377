import { isFreeText } from "../inquiry/additions.ts";
import type { Answers } from "../inquiry/answers.ts";
import { OTHER } from "../inquiry/options.ts";
import { MESSAGES, type Message } from "../inquiry/rules.ts";
import { isBlank, isElsewhere, isEmail, isName, isPhone, isPostalCode } from "../inquiry/validation.ts";
import { CONTACT_STEP, STEPS, type Step } from "./steps.ts";

/** The fields that can be invalid. */
export type FieldName = "propertyType" | "postalCode" | OtherName | ContactName;
/** The free texts under Sonstiges. */
export type OtherName = "problemOther" | "locationOther";
export type ContactName = "firstName" | "lastName" | "email" | "phone";

/** The texts at invalid fields. */
export type FieldErrors = Partial<Readonly<Record<FieldName, string>>>;

/** What is wrong with a step: the toast, and the text at each invalid field. */
export interface ValidationError {
  readonly step: Step;
  readonly title: string;
  readonly description?: string;
  readonly fields: FieldErrors;
}

/** Returns what is wrong with a step; null if it is valid (`docs/behaviour.md`, "Validation"). */
export function validateStep(step: Step, answers: Answers): ValidationError | null {
  if (step === 0) return validateProperty(answers);
  if (step === 1) return validatePostalCode(answers);
  if (step === 2) return validateOther(step, answers.problems, "problemOther", answers);
  if (step === 3) return validateOther(step, answers.locations, "locationOther", answers);
  return validateContact(answers);
}

/** Returns what is wrong with the first invalid step: a deep link may have skipped any of them. */
export function validateAll(answers: Answers): ValidationError | null {
  for (const step of STEPS) {
    const error = validateStep(step, answers);
    if (error !== null) return error;
  }
  return null;
}

function validateProperty(answers: Answers): ValidationError | null {
  const { title } = MESSAGES.property_type;
  return answers.propertyType === "" ? { step: 0, title, fields: { propertyType: title } } : null;
}

function validatePostalCode(answers: Answers): ValidationError | null {
  if (isPostalCode(answers.postalCode)) return null;
  const message = isElsewhere(answers.postalCode) ? MESSAGES.outside_area : MESSAGES.postal_code;
  return { step: 1, ...toastOf(MESSAGES.postal_code), fields: { postalCode: fieldText(message) } };
}

function validateOther(
  step: Step,
  chosen: readonly string[],
  name: OtherName,
  answers: Answers,
): ValidationError | null {
  if (!chosen.includes(OTHER) || isFreeText(answers[name])) return null;
  const { title } = MESSAGES.free_text;
  return { step, title, fields: { [name]: title } };
}

interface ContactRule {
  readonly name: ContactName;
  readonly isValid: (input: string) => boolean;
  readonly message: Message;
}

/** In the order of the form. */
const CONTACT_RULES: readonly ContactRule[] = [
  { name: "firstName", isValid: isName, message: MESSAGES.first_name },
  { name: "lastName", isValid: isName, message: MESSAGES.last_name },
  { name: "email", isValid: isEmail, message: MESSAGES.email_address },
  { name: "phone", isValid: isPhone, message: MESSAGES.phone_number },
];

/** Every invalid field gets its text. The toast names the gravest error: something missing, else the first in the form. */
function validateContact(answers: Answers): ValidationError | null {
  const invalid = CONTACT_RULES.filter(({ name, isValid }) => !isValid(answers[name]));
  const [first] = invalid;
  if (first === undefined) return null;
  const isMissing = ({ name }: ContactRule) => isBlank(answers[name]);
  const fields = invalid.map((rule) => [rule.name, fieldText(rule.message, isMissing(rule))]);
  const message = invalid.some(isMissing) ? MESSAGES.required : first.message;
  return { step: CONTACT_STEP, ...toastOf(message), fields: Object.fromEntries(fields) };
}

/** The field says all that the toast says, which goes away. */
function fieldText({ title, description, missing }: Message, isMissing = false): string {
  if (isMissing && missing !== null) return missing;
  return description === null ? title : `${title.replace(/\.$/, "")}. ${description}`;
}

function toastOf({ title, description }: Message): Pick<ValidationError, "title" | "description"> {
  return description === null ? { title } : { title, description };
}

/** Returns the error without a field that was changed since; null if nothing of it is left. */
export function withoutField<E extends ValidationError>(error: E | null, name: string): E | null {
  if (error === null) return null;
  const left = Object.entries(error.fields).filter(([field]) => field !== name);
  return left.length === 0 ? null : { ...error, fields: Object.fromEntries(left) };
}
