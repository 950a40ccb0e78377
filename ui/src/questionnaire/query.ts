import inquiry from "../../generated/inquiry.ts";
import { PROPERTY_OPTIONS, type PropertyType } from "../inquiry/options.ts";
import { FIRST_STEP, STEPS, type Step } from "./steps.ts";

/** What a link to the questionnaire chooses in advance (`docs/behaviour.md`, "The questionnaire"). */
export interface Preselection {
  readonly property: { readonly type: PropertyType; readonly subtype: string } | null;
  readonly location: string | null;
}

/** Returns the step in the address; the first one for anything but an integer from 0 to 4. */
export function readStep(query: URLSearchParams): Step {
  const text = query.get("step");
  return STEPS.find((step) => String(step) === text) ?? FIRST_STEP;
}

/** As the server does for the form without JavaScript: tests/cases/preselection.json holds the two together. */
export function readPreselection(query: URLSearchParams): Preselection {
  const { type = null, location = null } = OF_PROBLEM.get(query.get("problem") ?? "") ?? {};
  return { property: propertyOf(query.get("propertyType") ?? "") ?? bare(type), location };
}

const { preselect } = inquiry;

/** Values that articles link to, besides the option ids. */
const TYPES: ReadonlyMap<string, PropertyType> = new Map(Object.entries(preselect.property_type));

interface OfProblem {
  readonly type: PropertyType | null;
  readonly location: string | null;
}

const OF_PROBLEM: ReadonlyMap<string, OfProblem> = new Map(Object.entries(preselect.problem));

function propertyOf(value: string): Preselection["property"] {
  const option = PROPERTY_OPTIONS.find(({ id }) => id === value);
  return option === undefined ? bare(TYPES.get(value) ?? null) : { type: option.type, subtype: option.subtype };
}

function bare(type: PropertyType | null): Preselection["property"] {
  return type === null ? null : { type, subtype: "" };
}
