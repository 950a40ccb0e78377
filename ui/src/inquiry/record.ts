import type { Answers } from "./answers.ts";
import { trim, trimUnseen } from "./validation.ts";

/**
 * Returns the record of valid answers as it is sent: the nine fields of the table `inquiries`. `createdAt` is RFC 3339,
 * UTC; option ids are joined by commas. The subtype and the free texts are not part of it (`additions.ts`).
 */
export function toRecord(answers: Answers, createdAt: string) {
  return {
    created_at: createdAt,
    postal_code: trim(answers.postalCode),
    property_type: answers.propertyType,
    types_of_problems: answers.problems.join(","),
    problem_locations: answers.locations.join(","),
    first_name: trim(answers.firstName),
    last_name: trim(answers.lastName),
    email_address: trimUnseen(answers.email),
    phone_number: trimUnseen(answers.phone),
  };
}
