import type { Answers } from "../inquiry/answers.ts";
import { isBlank, isEmail, isName, isPhone, isPostalCode } from "../inquiry/validation.ts";
import { CONTACT_STEP, STEPS, type Step } from "./steps.ts";

/** The fields that can be invalid. */
export type FieldName = "propertyType" | "postalCode" | ContactName;
export type ContactName = "firstName" | "lastName" | "email" | "phone";

/** What is wrong with a step: the toast, and the text at each invalid field. */
export interface ValidationError {
  readonly step: Step;
  readonly title: string;
  readonly description?: string;
  readonly fields: Partial<Readonly<Record<FieldName, string>>>;
}

/** Returns what is wrong with a step; null if it is valid (spec section 5). */
export function validateStep(step: Step, answers: Answers): ValidationError | null {
  if (step === 0) return validateProperty(answers);
  if (step === 1) return validatePostalCode(answers);
  return step === CONTACT_STEP ? validateContact(answers) : null;
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
  const title = "Bitte wählen Sie einen Gebäudetyp aus";
  return answers.propertyType === "" ? { step: 0, title, fields: { propertyType: title } } : null;
}

function validatePostalCode(answers: Answers): ValidationError | null {
  if (isPostalCode(answers.postalCode)) return null;
  const title = "Bitte geben Sie eine gültige Hamburger Postleitzahl ein";
  const description = "Gültige Postleitzahlen für Hamburg und Umgebung beginnen mit 20, 21, 22.";
  return { step: 1, title, description, fields: { postalCode: title } };
}

interface ContactRule {
  readonly name: ContactName;
  readonly isValid: (input: string) => boolean;
  readonly missing: string;
  /** The toast, and its explanation if there is one, which the field prefers. */
  readonly title: string;
  readonly description?: string;
}

/** In the order of the form. */
const CONTACT_RULES: readonly ContactRule[] = [
  {
    name: "firstName",
    isValid: isName,
    missing: "Bitte geben Sie Ihren Vornamen ein",
    title: "Ungültiger Vorname",
    description: "Bitte geben Sie höchstens 100 Zeichen ein, ohne Steuerzeichen.",
  },
  {
    name: "lastName",
    isValid: isName,
    missing: "Bitte geben Sie Ihren Nachnamen ein",
    title: "Ungültiger Nachname",
    description: "Bitte geben Sie höchstens 100 Zeichen ein, ohne Steuerzeichen.",
  },
  {
    name: "email",
    isValid: isEmail,
    missing: "Bitte geben Sie Ihre E-Mail-Adresse ein",
    title: "Bitte geben Sie eine gültige E-Mail-Adresse ein",
  },
  {
    name: "phone",
    isValid: isPhone,
    missing: "Bitte geben Sie Ihre Telefonnummer ein",
    title: "Ungültige Telefonnummer",
    description: "Bitte geben Sie eine gültige deutsche Telefonnummer ein (z.B. +49 123 456789 oder 0123 456789).",
  },
];

/** Every invalid field gets its text. The toast names the gravest error: something missing, else the first in the form. */
function validateContact(answers: Answers): ValidationError | null {
  const invalid = CONTACT_RULES.filter(({ name, isValid }) => !isValid(answers[name]));
  const [first] = invalid;
  if (first === undefined) return null;
  const isMissing = ({ name }: ContactRule) => isBlank(answers[name]);
  const texts = invalid.map((rule) => [rule.name, isMissing(rule) ? rule.missing : (rule.description ?? rule.title)]);
  const toast = invalid.some(isMissing) ? { title: "Bitte füllen Sie alle Pflichtfelder aus" } : first;
  return {
    step: CONTACT_STEP,
    title: toast.title,
    ...("description" in toast ? { description: toast.description } : {}),
    fields: Object.fromEntries(texts),
  };
}

/** Returns the error without a field that was changed since; null if nothing of it is left. */
export function withoutField<E extends ValidationError>(error: E | null, name: string): E | null {
  if (error === null) return null;
  const left = Object.entries(error.fields).filter(([field]) => field !== name);
  return left.length === 0 ? null : { ...error, fields: Object.fromEntries(left) };
}
