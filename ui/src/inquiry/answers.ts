import type { PropertyType } from "./options.ts";

/** All answers of the questionnaire, still empty. */
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
