import { Fragment, type ReactNode } from "react";

/** A firm that was asked, as a loop or a page names it. */
type FirmName =
  `firm.${"name" | "state" | "checked.on" | "checked.by" | "checked.what" | "phone" | "phone_link" | "email" | "website" | "website_label"}`;

type InquiryName = `inquiry.${
  | "reference"
  | "received"
  | "place"
  | "place_name"
  | "building"
  | "problems"
  | "locations"
  | "addition"
  | "first_name"
  | "last_name"
  | "email"
  | "email_link"
  | "phone"
  | "phone_link"}`;

/** What the server fills into a private page; `src/site/templates/context` has the same names. */
export type SlotName =
  | FirmName
  | InquiryName
  | "accepted_count"
  | "action"
  | "addition"
  | "answer_until"
  | "asked_count"
  | "consent.at"
  | "consent.wording"
  | "cost"
  | "is_price_new"
  | "link"
  | "offers"
  | "price"
  | `review.${"firm" | "firm_name" | "number" | "text" | "name" | `${"stars" | "text" | "name"}_error`}`
  | `fault.${"text" | "field"}`
  | `photo.${"place" | "link" | "small"}`
  | `photo_${"room" | "action" | "error"}`
  | "storey"
  | `outcome.${"cost" | "error" | "net_sum" | "until"}`;

/** Returns the expression for a value that the server fills in, escaped for its context. */
export function slot(name: SlotName): string {
  return `{{ ${name} }}`;
}

/** Lets the server choose one of several cases, the first whose condition is met. */
export function Choose({ cases, otherwise }: { cases: Readonly<Record<string, ReactNode>>; otherwise: ReactNode }) {
  return (
    <>
      {Object.entries(cases).map(([test, shown], index) => (
        <Fragment key={test}>
          {`{% ${index === 0 ? "if" : "elif"} ${test} %}`}
          {shown}
        </Fragment>
      ))}
      {"{% else %}"}
      {otherwise}
      {"{% endif %}"}
    </>
  );
}

/** Lets the server repeat its children for each firm that was asked. */
export function EachFirm({ children }: { children: ReactNode }) {
  return (
    <>
      {"{% for firm in firms %}"}
      {children}
      {"{% endfor %}"}
    </>
  );
}

/** Lets the server repeat its children for each photo of the inquiry. */
export function EachPhoto({ children }: { children: ReactNode }) {
  return (
    <>
      {"{% for photo in photos %}"}
      {children}
      {"{% endfor %}"}
    </>
  );
}

/** Renders a list of labels, separated by commas. */
export function joined(name: "inquiry.problems" | "inquiry.locations"): string {
  return `{{ ${name} | joined }}`;
}
