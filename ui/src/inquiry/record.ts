import type { Answers } from "./answers.ts";
import { trim, trimUnseen } from "./validation.ts";

/** An inquiry as it is sent: the nine fields of the table `inquiries`. */
export interface InquiryFields {
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly postal_code: string;
  readonly property_type: string;
  /** Option ids joined by commas, empty when none is chosen. */
  readonly types_of_problems: string;
  readonly problem_locations: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string;
  readonly phone_number: string;
}

/** Returns the record of valid answers. The subtype and the free texts are not part of it (`additions.ts`). */
export function toRecord(answers: Answers, createdAt: string): InquiryFields {
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
