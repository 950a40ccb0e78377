import inquiry from "../../generated/inquiry.ts";

/**
 * The options of the questionnaire, from `content/inquiry.toml`. The home page's tiles and their descriptions are in
 * `content/home.toml`, and a test keeps the two in step.
 */

export type PropertyType = (typeof inquiry.types)[number]["id"];

export interface PropertyOption {
  readonly id: string;
  readonly type: PropertyType;
  /** Part of the additions rather than the record. Empty for a type without subtypes. */
  readonly subtype: string;
  readonly label: string;
}

export interface Option {
  readonly id: string;
  readonly label: string;
}

/** The types alone, as preselected by a link such as `propertyType=residential`. */
export const PROPERTY_TYPES: readonly PropertyType[] = inquiry.types.map(({ id }) => id);

export const PROPERTY_TYPE_LABELS = Object.fromEntries(inquiry.types.map(({ id, label }) => [id, label])) as Readonly<
  Record<PropertyType, string>
>;

export const PROPERTY_OPTIONS: readonly PropertyOption[] = inquiry.properties;
export const PROBLEM_OPTIONS: readonly Option[] = inquiry.problems;
export const LOCATION_OPTIONS: readonly Option[] = inquiry.locations;

/** The option that opens a free text field. */
export const OTHER = "other";

/** Returns the option of a type and subtype; undefined for a type alone. */
export function findProperty(type: string, subtype: string): PropertyOption | undefined {
  return PROPERTY_OPTIONS.find((option) => option.type === type && option.subtype === subtype);
}
