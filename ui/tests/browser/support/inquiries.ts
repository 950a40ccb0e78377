import { privateLink } from "./mail-rules.ts";
import { firmAddress, type Referring } from "./referrals.ts";

/** Matches the address to which inquiries are sent. */
export const INQUIRIES = "**/rest/v1/inquiries";

/** Returns an error response like the server's, for `route.fulfill`. */
export function errorAnswer(status: number, message: string, headers: Record<string, string> = {}) {
  return {
    status,
    headers,
    contentType: "application/json",
    body: JSON.stringify({ code: "x", message, details: null, hint: null }),
  };
}

export const RECORD = {
  postal_code: "20095",
  property_type: "residential",
  types_of_problems: "nesting",
  problem_locations: "balcony",
  first_name: "Änne",
  last_name: "Meier",
  email_address: "aenne@kranich.example",
  phone_number: "+49 40 7654321",
};

/** Stores an inquiry as another program would, and returns the path of the visitor's page. */
export async function postInquiry(site: string, changes: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${site}/rest/v1/inquiries`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...RECORD, ...changes }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return response.headers.get("location") ?? "";
}

/** Stores an inquiry from a person of this name, and returns the visitor's page and the firm's. */
export async function inquire(
  { site, mails }: Pick<Referring, "site" | "mails">,
  firm: string,
  lastName: string,
): Promise<{ visitors: string; firms: string }> {
  const known = mails.mails.all.length;
  const visitors = await postInquiry(site.url, {
    last_name: lastName,
    email_address: `${lastName.toLowerCase()}@kranich.example`,
  });
  const mail = await mails.mails.first(
    "a mail to the firm",
    (one) => one.recipient === firmAddress(firm) && mails.mails.all.indexOf(one) >= known,
  );
  return { visitors, firms: new URL(privateLink(mail, "/betrieb/")).pathname };
}
