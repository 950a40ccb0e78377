/**
 * What a visitor can choose (spec section 3). The ids are part of the API and of exports; the labels may change. The
 * home page's tiles with their descriptions are in content/home.toml, and a test keeps the two in step.
 */

export type PropertyType = "residential" | "commercial" | "industrial";

export interface PropertyOption {
  readonly id: string;
  readonly type: PropertyType;
  /** Not part of the record (spec section 3), but of the additions. Empty for a type without subtypes. */
  readonly subtype: string;
  readonly label: string;
}

export interface Option {
  readonly id: string;
  readonly label: string;
}

export const PROPERTY_OPTIONS: readonly PropertyOption[] = [
  { id: "residential-house", type: "residential", subtype: "house", label: "Haus" },
  { id: "residential-apartment", type: "residential", subtype: "apartment", label: "Wohnung" },
  { id: "commercial-office", type: "commercial", subtype: "office", label: "Büro" },
  { id: "commercial-retail", type: "commercial", subtype: "retail", label: "Einzelhandel" },
  { id: "commercial-restaurant", type: "commercial", subtype: "restaurant", label: "Gastronomie" },
  { id: "industrial", type: "industrial", subtype: "", label: "Industrie" },
];

/** The names of types without a subtype, as after a link with `propertyType=residential`. */
export const PROPERTY_TYPE_LABELS: Readonly<Record<PropertyType, string>> = {
  residential: "Wohngebäude",
  commercial: "Gewerbe",
  industrial: "Industrie",
};

/** The choice that opens a free text field. */
export const OTHER = "other";

export const PROBLEM_OPTIONS: readonly Option[] = [
  { id: "nesting", label: "Nisten" },
  { id: "droppings", label: "Verschmutzung durch Kot" },
  { id: "noise", label: "Lärm" },
  { id: "damage", label: "Beschädigung des Gebäudes" },
  { id: "health", label: "Gesundheitliche Bedenken" },
  { id: OTHER, label: "Sonstiges" },
];

export const LOCATION_OPTIONS: readonly Option[] = [
  { id: "balcony", label: "Balkon" },
  { id: "roof", label: "Dach" },
  { id: "facade", label: "Fassade" },
  { id: "courtyard", label: "Innenhof" },
  { id: "garden", label: "Garten" },
  { id: OTHER, label: "Sonstiges" },
];

/** Returns the option of a type and subtype; undefined for a type alone. */
export function findProperty(type: string, subtype: string): PropertyOption | undefined {
  return PROPERTY_OPTIONS.find((option) => option.type === type && option.subtype === subtype);
}
