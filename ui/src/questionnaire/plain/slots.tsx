import type { ReactNode } from "react";
import { If } from "../../components/if.tsx";

type RecordField =
  | "property_type"
  | "postal_code"
  | "types_of_problems"
  | "problem_locations"
  | "problem_other"
  | "location_other"
  | "first_name"
  | "last_name"
  | "email_address"
  | "phone_number";

/** What the server fills into the plain form; `src/site/page_data.rs` has the same names. */
export type FormSlot =
  | "form.notice"
  | "form.mode"
  | "form.bare_type"
  | "form.bare_name"
  | "form.postal_code"
  | "form.problem_other"
  | "form.location_other"
  | "form.first_name"
  | "form.last_name"
  | "form.email_address"
  | "form.phone_number"
  | `form.errors.${RecordField}`;

/** Returns the expression for a value, which the server escapes for where it stands. */
export function slot(name: FormSlot): string {
  return `{{ ${name} }}`;
}

/** Lets the server choose between a field and the same one with what is wrong with it. */
export function WithError({ field, children }: { field: RecordField; children: (error?: string) => ReactNode }) {
  return (
    <If test={`form.errors.${field}`} otherwise={children()}>
      {children(slot(`form.errors.${field}`))}
    </If>
  );
}

/** Returns the condition that an option is chosen. Names of the template language have no hyphens. */
export function isChosen(list: "property" | "problems" | "locations", id: string): string {
  return `form.${list}.${id.replaceAll("-", "_")}`;
}
