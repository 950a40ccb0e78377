import { LOCATION_OPTIONS, PROBLEM_OPTIONS, PROPERTY_TYPE_LABELS, type Option } from "../inquiry/options.ts";

/** Returns the German names of what a visitor can choose, by id, for the server. */
export function labels(): Record<"problems" | "locations" | "buildings", Readonly<Record<string, string>>> {
  const byId = (options: readonly Option[]) => Object.fromEntries(options.map(({ id, label }) => [id, label]));
  return {
    problems: byId(PROBLEM_OPTIONS),
    locations: byId(LOCATION_OPTIONS),
    buildings: PROPERTY_TYPE_LABELS,
  };
}
