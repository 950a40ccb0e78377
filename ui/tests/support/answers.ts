import type { Answers } from "../../src/inquiry/answers.ts";

/** Valid answers. */
export const ANSWERS: Answers = {
  propertyType: "residential",
  propertySubType: "house",
  postalCode: "20095",
  problems: ["nesting", "other"],
  problemOther: "Federn im Lüftungsschacht",
  locations: ["balcony"],
  locationOther: "",
  firstName: "Änne",
  lastName: "Groß",
  email: "aenne@example.de",
  phone: "+49 (40) 123-456-78",
};
