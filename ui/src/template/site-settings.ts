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
  /** Whether the newsletter's form really sends. Without a mail server, addresses could not be confirmed. */
  newsletter: boolean;
  /** What the server does with an inquiry automatically. */
  handling: {
    /** It sends mails. */
    mail: boolean;
    /** It asks firms. */
    firms: boolean;
    /** The operator mediates by hand: there are no firms, and this is not the sample operator. */
    by_hand: boolean;
    commission: boolean;
    /** It calls another system of the operator. */
    webhook: boolean;
    /** The hours within which a firm must answer. */
    answer_hours: number;
    /** The days after which inquiries are erased; null: never automatically. */
    retention_days: number | null;
  };
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

/** The dotted names of settings of this kind. */
type Names<Tree, Kind> = {
  [Key in keyof Tree & string]: Tree[Key] extends Kind
    ? Key
    : Tree[Key] extends object
      ? `${Key}.${Names<Tree[Key], Kind>}`
      : never;
}[keyof Tree & string];

/** Settings that are a single text or number. The server knows more than the browser. */
export type TextName =
  | Names<Settings, string | number | null>
  | "business.price_range"
  | `claims.${string}.${"value" | "basis" | "period"}`;

/** Settings that a part of a page can depend on. */
export type SettingName =
  | TextName
  | Names<Settings, string | number | boolean | null | readonly unknown[]>
  | `claims.${string}`;

/** Reads the settings that the server wrote into the page. */
export function readSettings(): Settings {
  const element = document.getElementById("settings");
  if (!element?.textContent) throw new Error("The page carries no settings.");
  return JSON.parse(element.textContent) as Settings;
}
