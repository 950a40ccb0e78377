import type { ErrorName } from "./form-view.ts";

/** The ids of fields, to which the list of errors links by the address. `src/site/page_data.rs` names them. */
export const FIELD_IDS: Readonly<Record<ErrorName, string>> = {
  propertyType: "gebaeude",
  postalCode: "postleitzahl",
  problems: "probleme",
  problemOther: "probleme-text",
  locations: "stellen",
  locationOther: "stellen-text",
  firstName: "vorname",
  lastName: "nachname",
  email: "e-mail",
  phone: "telefon",
};
