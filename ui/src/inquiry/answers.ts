import type { PropertyType } from "./options.ts";

/** Everything that the questionnaire asks for. */
export interface Answers {
  readonly propertyType: PropertyType | "";
  readonly propertySubType: string;
  readonly postalCode: string;
  readonly problems: readonly string[];
  readonly problemOther: string;
  readonly locations: readonly string[];
  readonly locationOther: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
}

export const NO_ANSWERS: Answers = {
  propertyType: "",
  propertySubType: "",
  postalCode: "",
  problems: [],
  problemOther: "",
  locations: [],
  locationOther: "",
  firstName: "",
  lastName: "",
  email: "",
  phone: "",
};
