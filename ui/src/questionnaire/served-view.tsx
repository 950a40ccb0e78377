import { If } from "../components/if.tsx";
import type { ErrorName, FormView } from "./form-view.ts";

/** The server's names of what it fills in and checks; `src/site/page_data.rs` has the same. */
const SLOTS: Readonly<Record<ErrorName, string>> = {
  propertyType: "property_type",
  postalCode: "postal_code",
  problems: "types_of_problems",
  problemOther: "problem_other",
  locations: "problem_locations",
  locationOther: "location_other",
  firstName: "first_name",
  lastName: "last_name",
  email: "email_address",
  phone: "phone_number",
};

/** Leaves answers and errors to the server, which escapes them for their context. */
export const SERVED_VIEW: FormView = {
  answers: null,
  text: (name) => `{{ form.${SLOTS[name]} }}`,
  withChoice: (name, id, render) => {
    // Names of the template language have no hyphens.
    const test = `form.${name === "propertyType" ? "property" : name}.${id.replaceAll("-", "_")}`;
    return (
      <If key={id} test={test} otherwise={render(false)}>
        {render(true)}
      </If>
    );
  },
  withError: (name, render) => {
    const error = `form.errors.${SLOTS[name]}`;
    return (
      <If test={error} otherwise={render()}>
        {render(`{{ ${error} }}`)}
      </If>
    );
  },
  withBareType: (render) => <If test="form.bare_type">{render("{{ form.bare_type }}", "{{ form.bare_name }}")}</If>,
};
