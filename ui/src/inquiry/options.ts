import inquiry from "../../generated/inquiry.ts";

/**
 * What a visitor can choose, from `content/inquiry.toml`. The home page's tiles with their descriptions are in
 * `content/home.toml`, and a test keeps the two in step.
 */

export type PropertyType = (typeof inquiry.types)[number]["id"];

export interface PropertyOption {
  readonly id: string;
  readonly type: PropertyType;
  /** Not part of the record, but of the additions. Empty for a type without subtypes. */
  readonly subtype: string;
  readonly label: string;
}

export interface Option {
  readonly id: string;
  readonly label: string;
}

/** The types alone, as after a link with `propertyType=residential`. */
export const PROPERTY_TYPES: readonly PropertyType[] = inquiry.types.map(({ id }) => id);

export const PROPERTY_TYPE_LABELS = Object.fromEntries(inquiry.types.map(({ id, label }) => [id, label])) as Readonly<
  Record<PropertyType, string>
>;

export const PROPERTY_OPTIONS: readonly PropertyOption[] = inquiry.properties;
export const PROBLEM_OPTIONS: readonly Option[] = inquiry.problems;
export const LOCATION_OPTIONS: readonly Option[] = inquiry.locations;

/** The choice that opens a free text field. */
export const OTHER = "other";

/** Returns the option of a type and subtype; undefined for a type alone. */
export function findProperty(type: string, subtype: string): PropertyOption | undefined {
  return PROPERTY_OPTIONS.find((option) => option.type === type && option.subtype === subtype);
}
