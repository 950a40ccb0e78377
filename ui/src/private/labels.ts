import { LOCATION_OPTIONS, PROBLEM_OPTIONS, PROPERTY_TYPE_LABELS, type Option } from "../inquiry/options.ts";
import postalCodes from "../../generated/postal-codes.json";

/** Returns the German names of what a visitor can choose, by id, and of places, by postal code, for the server. */
export function labels(): Record<"problems" | "locations" | "buildings" | "places", Readonly<Record<string, string>>> {
  const byId = (options: readonly Option[]) => Object.fromEntries(options.map(({ id, label }) => [id, label]));
  return {
    problems: byId(PROBLEM_OPTIONS),
    locations: byId(LOCATION_OPTIONS),
    buildings: PROPERTY_TYPE_LABELS,
    places: postalCodes.names,
  };
}
