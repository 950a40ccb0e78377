import type { Answers } from "../inquiry/answers.ts";
import { findProperty, OTHER, PROPERTY_TYPE_LABELS } from "../inquiry/options.ts";
import { trim } from "../inquiry/validation.ts";
import { type ListName, OPTIONS_OF } from "./answers-reducer.ts";
import type { Step } from "./steps.ts";

/** A line of the summary, and the step that asks for it. */
export interface SummaryLine {
  readonly step: Step;
  readonly name: string;
  readonly text: string;
}

const NOTHING = "Keine Angabe";

/** Returns the answers in words, one line for each question before the contact step. */
export function summaryLines(answers: Answers): readonly SummaryLine[] {
  return [
    { step: 0, name: "Gebäudetyp", text: propertyText(answers) },
    { step: 1, name: "Ort", text: trim(answers.postalCode) || NOTHING },
    { step: 2, name: "Probleme", text: listText(answers, "problems", answers.problemOther) },
    { step: 3, name: "Betroffene Stellen", text: listText(answers, "locations", answers.locationOther) },
  ];
}

function propertyText({ propertyType, propertySubType }: Answers): string {
  if (propertyType === "") return NOTHING;
  return findProperty(propertyType, propertySubType)?.label ?? PROPERTY_TYPE_LABELS[propertyType];
}

function listText(answers: Answers, name: ListName, other: string): string {
  const labels = OPTIONS_OF[name]
    .filter(({ id }) => answers[name].includes(id))
    .map(({ id, label }) => (id === OTHER && trim(other) !== "" ? `${label} (${trim(other)})` : label));
  return labels.join(", ") || NOTHING;
}
