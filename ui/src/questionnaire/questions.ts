import { LIMITS } from "../inquiry/rules.ts";
import { POSTAL_CODE_PATTERN } from "../inquiry/validation.ts";
import type { ContactName } from "./step-validation.ts";

interface QuestionText {
  readonly title: string;
  readonly hint?: string;
}

const ANY_NUMBER = "Wählen Sie alles, was zutrifft, oder gehen Sie einfach weiter.";

/** What each step asks, with and without JavaScript. */
export const QUESTIONS = {
  property: { title: "Um welche Art von Gebäude geht es?" },
  place: {
    title: "Wo befindet sich das Gebäude?",
    hint: "Wir vermitteln in Hamburg und bis zu 50\u00a0km rundherum: Postleitzahlen 20000\u00a0bis\u00a022999.",
  },
  problems: { title: "Welche Probleme haben Sie mit Tauben?", hint: ANY_NUMBER },
  locations: { title: "Wo treten die Probleme auf?", hint: ANY_NUMBER },
  contact: { title: "Wie sind Sie zu erreichen?", hint: "Alle Felder mit * sind Pflichtfelder." },
} as const satisfies Record<string, QuestionText>;

/** What the field for the postal code is like. */
export const POSTAL_CODE_FIELD = {
  name: "postalCode",
  label: "Postleitzahl",
  hint: "Fünf Ziffern, zum Beispiel 20095",
  required: true,
  autoComplete: "postal-code",
  inputMode: "numeric",
  pattern: POSTAL_CODE_PATTERN,
} as const;

/** What the field for the free text under Sonstiges is like. It has no `maxLength`, which cuts what is pasted in silence. */
export const OTHER_FIELD = {
  label: "Bitte beschreiben",
  hint: `Diesen Text bekommen die Fachbetriebe mit Ihrer Anfrage, höchstens ${LIMITS.free_text} Zeichen. Name und Telefonnummer gehören nicht hinein.`,
} as const;

/** What the fields of the contact step are like. */
export const CONTACT_FIELDS = {
  firstName: { name: "firstName", label: "Vorname", required: true, autoComplete: "given-name" },
  lastName: { name: "lastName", label: "Nachname", required: true, autoComplete: "family-name" },
  email: {
    name: "email",
    label: "E-Mail-Adresse",
    required: true,
    type: "email",
    autoComplete: "email",
    inputMode: "email",
  },
  phone: {
    name: "phone",
    label: "Telefonnummer",
    hint: "Höchstens drei Fachbetriebe rufen an, um ein Angebot zu besprechen; sonst nur wir.",
    required: true,
    type: "tel",
    autoComplete: "tel",
    inputMode: "tel",
  },
} as const satisfies Record<ContactName, object>;

/** Stands below the button of every step. */
export const TRUST = "Kostenlos und unverbindlich. Ihre Kontaktdaten erhalten höchstens drei Fachbetriebe.";
