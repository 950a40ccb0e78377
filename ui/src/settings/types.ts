/** The settings of the running site, as the server writes them into the page (`#settings`). */
export interface Settings {
  /** Without a trailing slash. */
  origin: string;
  name: string;
  demo: boolean;
  operator: Record<OperatorField, string | null>;
  business: {
    price_range: string | null;
    latitude: number | null;
    longitude: number | null;
    opening_hours: string[] | null;
  };
  links: {
    chat: string | null;
    social: string[];
    sister_sites: { url: string; label: string }[];
    affiliate_partner: string | null;
  };
  tags: { tag_manager: string | null; conversion: string | null };
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
  | "vat_id";

/** The dotted names of settings that hold one text. */
export type TextName =
  | "origin"
  | "name"
  | `operator.${OperatorField}`
  | "business.price_range"
  | "links.chat"
  | "links.affiliate_partner"
  | `tags.${keyof Settings["tags"]}`;

/** The settings that a part of a page can depend on. */
export type SettingName = TextName | "demo" | "links.sister_sites" | "links.social";
