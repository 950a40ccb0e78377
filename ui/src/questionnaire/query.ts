import { PROPERTY_OPTIONS, type PropertyType } from "../inquiry/options.ts";
import { FIRST_STEP, STEPS, type Step } from "./steps.ts";

/** What a link to the questionnaire chooses in advance (contract.md, "Questionnaire"). */
export interface Preselection {
  readonly property: { readonly type: PropertyType; readonly subtype: string } | null;
  readonly location: string | null;
}

/** Returns the step in the address; the first one for anything but an integer from 0 to 4. */
export function readStep(query: URLSearchParams): Step {
  const text = query.get("step");
  return STEPS.find((step) => String(step) === text) ?? FIRST_STEP;
}

export function readPreselection(query: URLSearchParams): Preselection {
  const problem = query.get("problem") ?? "";
  return {
    property: propertyOf(query.get("propertyType") ?? "") ?? propertyOf(PROPERTY_OF_PROBLEM.get(problem) ?? ""),
    location: LOCATION_OF_PROBLEM.get(problem) ?? null,
  };
}

/** Values that articles link to, besides the option ids. */
const BARE_TYPES: ReadonlyMap<string, PropertyType> = new Map([
  ["residential", "residential"],
  ["multi", "residential"],
  ["commercial", "commercial"],
]);

const PROPERTY_OF_PROBLEM: ReadonlyMap<string, string> = new Map([["gewerbe", "commercial"]]);

const LOCATION_OF_PROBLEM: ReadonlyMap<string, string> = new Map([
  ["balkon", "balcony"],
  ["dach", "roof"],
]);

function propertyOf(value: string): Preselection["property"] {
  const option = PROPERTY_OPTIONS.find(({ id }) => id === value);
  if (option !== undefined) return { type: option.type, subtype: option.subtype };
  const type = BARE_TYPES.get(value);
  return type === undefined ? null : { type, subtype: "" };
}
