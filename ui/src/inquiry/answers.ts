import type { PropertyType } from "./options.ts";

/** Everything that the questionnaire asks for, unanswered. */
export const NO_ANSWERS = {
  propertyType: "" as PropertyType | "",
  propertySubType: "",
  postalCode: "",
  problems: [] as readonly string[],
  problemOther: "",
  locations: [] as readonly string[],
  locationOther: "",
  firstName: "",
  lastName: "",
  email: "",
  phone: "",
};

export type Answers = Readonly<typeof NO_ANSWERS>;
