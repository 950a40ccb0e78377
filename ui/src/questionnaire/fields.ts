import type { InputHTMLAttributes } from "react";
import { isFreeText } from "../inquiry/additions.ts";
import type { Answers } from "../inquiry/answers.ts";
import { LOCATION_OPTIONS, type Option, PROBLEM_OPTIONS } from "../inquiry/options.ts";
import { LIMITS, MESSAGES, type Message } from "../inquiry/rules.ts";
import { isElsewhere, isEmail, isName, isPhone, isPostalCode, POSTAL_CODE_PATTERN } from "../inquiry/validation.ts";
import { CONTACT_STEP, type Step } from "./steps.ts";

/** Properties of all fields. */
interface Field {
  readonly step: Step;
  /** The id of its first input, to which the list of errors links. `src/site/page_data.rs` also has it. */
  readonly id: string;
  /** The server's name for the value that it fills in and checks (`src/site/page_data.rs`). */
  readonly slot: string;
}

/** A text field. */
export interface TextField extends Field {
  readonly label: string;
  readonly hint?: string;
  /** With `rows` it has several lines. */
  readonly input?: Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "autoComplete" | "inputMode" | "pattern"> & {
    readonly rows?: number;
  };
  readonly required?: boolean;
  /** The maximum length, only if a script trims pasted text: otherwise the limit would cut off its end. */
  readonly maxLength?: number;
  readonly isValid: (typed: string) => boolean;
  readonly message: Message;
  /** The message at the field, if it says more than the toast. */
  readonly messageFor?: (typed: string) => Message;
}

/** A field with any number of options to tick. */
export interface ListField extends Field {
  readonly options: readonly Option[];
  /** The free text for Sonstiges. */
  readonly other: "problemOther" | "locationOther";
  /** Its name in the summary. */
  readonly summary: string;
}

/** Without a `maxLength`, which would silently truncate pasted text. */
const OTHER_FIELD = {
  label: "Bitte beschreiben",
  hint: `Diesen Text lesen auch die Fachbetriebe; höchstens ${LIMITS.free_text} Zeichen.`,
  input: { rows: 3 },
  isValid: isFreeText,
  message: MESSAGES.free_text,
} as const;

/** The field for the kind of building, with exactly one choice. */
export const PROPERTY_FIELD = { step: 0, id: "gebaeude", slot: "property_type" } as const satisfies Field;

/** Fields that are lists of options. */
export const LIST_FIELDS = {
  problems: {
    step: 2,
    id: "probleme",
    slot: "types_of_problems",
    options: PROBLEM_OPTIONS,
    other: "problemOther",
    summary: "Probleme",
  },
  locations: {
    step: 3,
    id: "stellen",
    slot: "problem_locations",
    options: LOCATION_OPTIONS,
    other: "locationOther",
    summary: "Betroffene Stellen",
  },
} as const satisfies Partial<Record<keyof Answers, ListField>>;

/** Text fields, in the order of the form. */
export const TEXT_FIELDS = {
  postalCode: {
    step: 1,
    id: "postleitzahl",
    slot: "postal_code",
    label: "Postleitzahl",
    hint: "Fünf Ziffern, zum Beispiel 20095",
    required: true,
    input: { autoComplete: "postal-code", inputMode: "numeric", pattern: POSTAL_CODE_PATTERN },
    maxLength: LIMITS.postal_code,
    isValid: isPostalCode,
    message: MESSAGES.postal_code,
    messageFor: (typed) => (isElsewhere(typed) ? MESSAGES.outside_area : MESSAGES.postal_code),
  },
  problemOther: { step: 2, id: "probleme-text", slot: "problem_other", ...OTHER_FIELD },
  locationOther: { step: 3, id: "stellen-text", slot: "location_other", ...OTHER_FIELD },
  firstName: {
    step: CONTACT_STEP,
    id: "vorname",
    slot: "first_name",
    label: "Vorname",
    required: true,
    input: { autoComplete: "given-name" },
    isValid: isName,
    message: MESSAGES.first_name,
  },
  lastName: {
    step: CONTACT_STEP,
    id: "nachname",
    slot: "last_name",
    label: "Nachname",
    required: true,
    input: { autoComplete: "family-name" },
    isValid: isName,
    message: MESSAGES.last_name,
  },
  email: {
    step: CONTACT_STEP,
    id: "e-mail",
    slot: "email_address",
    label: "E-Mail-Adresse",
    required: true,
    input: { type: "email", autoComplete: "email", inputMode: "email" },
    isValid: isEmail,
    message: MESSAGES.email_address,
  },
  phone: {
    step: CONTACT_STEP,
    id: "telefon",
    slot: "phone_number",
    label: "Telefonnummer",
    hint: "Angerufen werden Sie nur zu dieser Anfrage.",
    required: true,
    input: { type: "tel", autoComplete: "tel", inputMode: "tel" },
    isValid: isPhone,
    message: MESSAGES.phone_number,
  },
} as const satisfies Partial<Record<keyof Answers, TextField>>;

/**
 * The single definition of what the questionnaire asks for. The form, its rules, the draft and what the server fills in
 * all derive from it; `inquiry/record.ts` defines what is sent.
 */
export const FIELDS = { propertyType: PROPERTY_FIELD, ...LIST_FIELDS, ...TEXT_FIELDS };

export type TextName = keyof typeof TEXT_FIELDS;
export type ListName = keyof typeof LIST_FIELDS;
/** A question with options to choose from. */
export type ChoiceName = "propertyType" | ListName;
/** Anything that can have an error. Only the server finds errors in a list. */
export type FieldName = ChoiceName | TextName;

/** The names of the text fields, and of the lists. */
export const TEXT_NAMES = Object.keys(TEXT_FIELDS) as readonly TextName[];
export const LIST_NAMES = Object.keys(LIST_FIELDS) as readonly ListName[];
