import type { Answers } from "../inquiry/answers.ts";
import { isBlank, isEmail, isName, isPhone, isPostalCode } from "../inquiry/validation.ts";
import { CONTACT_STEP, STEPS, type Step } from "./steps.ts";

/** The fields that can be wrong. */
export type FieldName = "propertyType" | "postalCode" | ContactName;
export type ContactName = "firstName" | "lastName" | "email" | "phone";

/** What is wrong with a step: the toast, and the text at each wrong field. */
export interface Complaint {
  readonly step: Step;
  readonly title: string;
  readonly description?: string;
  readonly fields: Partial<Readonly<Record<FieldName, string>>>;
}

/** The complaint about a step, null when it is in order (spec section 5). */
export function checkStep(step: Step, answers: Answers): Complaint | null {
  if (step === 0) return checkProperty(answers);
  if (step === 1) return checkPostalCode(answers);
  return step === CONTACT_STEP ? checkContact(answers) : null;
}

/** The complaint about the first step that is not in order: a deep link may have skipped any of them. */
export function checkAll(answers: Answers): Complaint | null {
  for (const step of STEPS) {
    const complaint = checkStep(step, answers);
    if (complaint !== null) return complaint;
  }
  return null;
}

function checkProperty(answers: Answers): Complaint | null {
  const title = "Bitte wählen Sie einen Gebäudetyp aus";
  return answers.propertyType === "" ? { step: 0, title, fields: { propertyType: title } } : null;
}

function checkPostalCode(answers: Answers): Complaint | null {
  if (isPostalCode(answers.postalCode)) return null;
  const title = "Bitte geben Sie eine gültige Hamburger Postleitzahl ein";
  const description = "Gültige Postleitzahlen für Hamburg und Umgebung beginnen mit 20, 21, 22.";
  return { step: 1, title, description, fields: { postalCode: title } };
}

interface ContactRule {
  readonly name: ContactName;
  readonly isValid: (input: string) => boolean;
  readonly missing: string;
  /** The toast and, where there is one, its explanation. The field shows the more helpful of both. */
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

/** Every wrong field gets its text; the toast names the gravest: something missing, else the first in the form. */
function checkContact(answers: Answers): Complaint | null {
  const wrong = CONTACT_RULES.filter(({ name, isValid }) => !isValid(answers[name]));
  const [first] = wrong;
  if (first === undefined) return null;
  const isMissing = ({ name }: ContactRule) => isBlank(answers[name]);
  const texts = wrong.map((rule) => [rule.name, isMissing(rule) ? rule.missing : (rule.description ?? rule.title)]);
  const toast = wrong.some(isMissing) ? { title: "Bitte füllen Sie alle Pflichtfelder aus" } : first;
  return {
    step: CONTACT_STEP,
    title: toast.title,
    ...("description" in toast ? { description: toast.description } : {}),
    fields: Object.fromEntries(texts),
  };
}

/** The complaint without the field that was changed since; null when nothing of it is left. */
export function withoutField<C extends Complaint>(complaint: C | null, name: string): C | null {
  if (complaint === null) return null;
  const left = Object.entries(complaint.fields).filter(([field]) => field !== name);
  return left.length === 0 ? null : { ...complaint, fields: Object.fromEntries(left) };
}
