/** What a template may say of the operator; every template has it. */
const SITE = [
  "origin",
  "site.name",
  "site.operator.legal_name",
  "site.operator.represented_by",
  "site.operator.street",
  "site.operator.postal_code",
  "site.operator.city",
  "site.operator.email",
  "site.operator.phone",
  "site.operator.phone_link",
  "site.operator.register_court",
  "site.operator.register_number",
  "site.operator.vat_id",
];

const REFERENCE = ["inquiry.reference", "inquiry.received"];
const DETAILS = [
  ...REFERENCE,
  "inquiry.place",
  "inquiry.building",
  "inquiry.problems",
  "inquiry.locations",
  "inquiry.addition",
];
const PERSON = [
  "inquiry.id",
  "inquiry.first_name",
  "inquiry.last_name",
  "inquiry.email",
  "inquiry.phone",
  "inquiry.phone_link",
];
const CONTACT = ["firm.name", "firm.phone", "firm.phone_link", "firm.email", "firm.website"];

/**
 * The names that each mail may use. A visitor's mail has none that a stranger could have typed into the form, and a firm
 * gets name and contact by mail only once it has accepted: what is not in this list ends the build.
 */
export const MAILS: Record<string, readonly string[]> = {
  "operator-new": [...DETAILS, ...PERSON, "firms", "asked_count"],
  "operator-unmatched": [...DETAILS, ...PERSON, "firms"],
  "operator-held": [...DETAILS, ...PERSON],
  "operator-withdrawn": [...REFERENCE, "firms"],
  "operator-accepted": [...DETAILS, ...PERSON, "firm.name", "accepted_count", "offers"],
  "operator-suspected": ["count", "inquiries"],
  "operator-digest": ["since", "until", "new", "accepted", "pending", "unmatched", "suspected", "failed"],
  "operator-test": [],
  "firm-contact": [...DETAILS, ...PERSON, "firm.name", "link"],
  "firm-reminder": [...DETAILS, "firm.name", "asked_count", "offers", "answer_until", "link"],
  "firm-request": [...DETAILS, "firm.name", "asked_count", "offers", "answer_until", "cost", "link"],
  "firm-addition": [...REFERENCE, "inquiry.place", "inquiry.addition", "firm.name", "link"],
  "firm-withdrawn": [...REFERENCE, "firm.name"],
  "firm-erased": [...REFERENCE, "firm.name"],
  "visitor-received": ["inquiry.received", "asked_count", "answer_hours", "link"],
  "visitor-accepted": ["inquiry.reference", ...CONTACT, "link"],
  "visitor-nobody": ["inquiry.reference", "asked_count", "link"],
  "visitor-withdrawn": [...REFERENCE, "asked_count", "link"],
  "newsletter-confirm": ["link", "valid_until"],
};

/** Returns the names that a mail may use, the operator's included. */
export function namesOf(mail: string) {
  return [...SITE, ...(MAILS[mail] ?? [])];
}

/** The names that the mails' footer may use. */
export const FOOTER_NAMES = SITE;

/** The names that private pages may use; `src/templates/context.rs` says which page has which. */
export const PAGE_NAMES = [
  ...SITE,
  "site.links.sister_sites",
  "site.testimonials",
  "site.vetted",
  ...DETAILS,
  ...PERSON,
  ...CONTACT,
  "firm.state",
  "firm.accepted",
  "firm.website_label",
  "firm.checked.on",
  "firm.checked.by",
  "firm.checked.what",
  "firms",
  "state",
  "notice",
  "asked_count",
  "accepted_count",
  "consent",
  "consent.at",
  "consent.wording",
  "offers",
  "cost",
  "outcome",
  "outcome.state",
  "outcome.chosen",
  "outcome.net_sum",
  "outcome.until",
  "outcome.error",
  "outcome.is_refused",
  "outcome.is_saved",
  "answer_until",
  "addition",
  "reviews",
  "review.faults",
  "link",
  "action",
];

/** The names that pages of the desk may use; `src/desk` says which page has which. What commands print has its keys as they are. */
export const DESK_NAMES = [
  ...SITE,
  "action",
  "back",
  "closed_at",
  "findings",
  "firms",
  "has_person",
  ...[
    "addition",
    "consent.at",
    "consent.version",
    "consent.wording",
    "created_at",
    "deliveries",
    "email_address",
    "firms",
    "first_name",
    "id",
    "last_name",
    "link",
    "phone_number",
    "postal_code",
    "problem_locations",
    "property_type",
    "received_at",
    "state",
    "suspected",
    "types_of_problems",
  ].map((key) => `inquiry.${key}`),
  "firm.review.stars",
  "is_askable",
  "is_bounded",
  "is_first",
  "is_older",
  "is_over",
  "kind",
  "last_month",
  "left",
  "month",
  "month_name",
  "name",
  "next",
  "nothing_to_do",
  "notice",
  "reason",
  "reference",
  "rows",
  "search",
  "state",
  "to_do.checks",
  "to_do.failed",
  "to_do.held",
  "to_do.reviews",
  "to_do.suspected",
  "to_do.unmatched",
  "told",
  "judged",
  "vat_rate",
  "waiting",
  "year",
];
