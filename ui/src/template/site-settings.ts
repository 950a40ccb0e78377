/** The settings of the running site, as the server writes them into the page (`#settings`). */
export interface Settings {
  /** Without a trailing slash. */
  origin: string;
  name: string;
  demo: boolean;
  operator: Record<OperatorField, string | null>;
  links: {
    chat: string | null;
    social: string[];
    sister_sites: { url: string; label: string }[];
    affiliate_partner: string | null;
  };
  tags: { tag_manager: string | null; conversion: string | null; banner: "auto" | "always" };
  /** Firms may be called `geprüft`. */
  vetted: boolean;
  /** There are testimonials: published reviews, or the sample operator's examples. */
  testimonials: boolean;
  /** Whether the newsletter's form sends. A server without a mail server has nothing to confirm an address with. */
  newsletter: boolean;
  handling: Handling;
}

/** What the server does with an inquiry by itself. */
export interface Handling {
  /** It sends mails. */
  mail: boolean;
  /** It asks firms. */
  firms: boolean;
  /** It calls another system of the operator. */
  webhook: boolean;
  /** The hours that a firm has to answer. */
  answer_hours: number;
  /** The days after which inquiries are erased; null: never automatically. */
  retention_days: number | null;
}

export type OperatorField =
  | "legal_name"
  | "represented_by"
  | "street"
  | "postal_code"
  | "city"
  | "email"
  | "phone"
  | "phone_link"
  | "register_court"
  | "register_number"
  | "vat_id"
  | "data_protection_officer";

/** The dotted names of settings that hold one text or number. */
export type TextName =
  | "origin"
  | "name"
  | `operator.${OperatorField}`
  | "business.price_range"
  | "links.chat"
  | "links.affiliate_partner"
  | "handling.retention_days"
  | "handling.answer_hours"
  | `tags.${keyof Settings["tags"]}`
  | `claims.${string}.${"value" | "basis" | "period"}`;

/** The settings that a part of a page can depend on. */
export type SettingName =
  | TextName
  | `handling.${keyof Handling}`
  | `claims.${string}`
  | "demo"
  | "testimonials"
  | "vetted"
  | "newsletter"
  | "links.sister_sites"
  | "links.social";

/** Reads the settings that the server wrote into the page. */
export function readSettings(): Settings {
  const element = document.getElementById("settings");
  if (!element?.textContent) throw new Error("The page carries no settings.");
  return JSON.parse(element.textContent) as Settings;
}
