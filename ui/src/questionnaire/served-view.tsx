import { Branch, If, slot } from "../template/template.tsx";
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
  text: (name) => slot(`form.${SLOTS[name]}`),
  withChoice: (name, id, render) => {
    // Names of the template language have no hyphens.
    const test = `form.${name === "propertyType" ? "property" : name}.${id.replaceAll("-", "_")}`;
    return <Branch key={id} test={test} render={render} />;
  },
  withError: (name, render) => {
    const error = `form.errors.${SLOTS[name]}`;
    return <Branch test={error} render={(isWrong) => render(isWrong ? slot(error) : undefined)} />;
  },
  withBareType: (render) => <If test="form.bare_type">{render(slot("form.bare_type"), slot("form.bare_name"))}</If>,
};
