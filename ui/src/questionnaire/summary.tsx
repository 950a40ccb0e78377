import type { MouseEvent } from "react";
import { followedLink } from "../browser/followed-link.ts";
import type { Answers } from "../inquiry/answers.ts";
import { findProperty, OTHER, PROPERTY_TYPE_LABELS } from "../inquiry/options.ts";
import { trim } from "../inquiry/validation.ts";
import { LIST_FIELDS, LIST_NAMES, type ListField, type ListName } from "./fields.ts";
import type { Step } from "./steps.ts";

interface SummaryProps {
  readonly answers: Answers;
  readonly onOpen: (step: Step) => void;
}

/** The answers on one line, which unfolds: each then leads back to its question. */
export function Summary({ answers, onOpen }: SummaryProps) {
  const open = (event: MouseEvent, step: Step) => {
    if (!followedLink(event.nativeEvent)) return;
    event.preventDefault();
    onOpen(step);
  };
  const lines = summaryLines(answers);
  const given = lines.filter(({ text }) => text !== NOTHING).map(({ text, brief = text }) => brief);
  return (
    <details className="summary fold">
      <summary>
        <span>
          <strong>Ihre Angaben:</strong> {given.join(" · ") || NOTHING}
        </span>
      </summary>
      <dl className="summary-list">
        {lines.map(({ step, name, text }) => (
          <div className="summary-line" key={name}>
            <dt className="summary-name hint">{name}</dt>
            <dd className="summary-text">{text}</dd>
            <dd className="summary-action">
              <a
                className="touch"
                href={`?step=${step}`}
                aria-label={`${name} ändern`}
                onClick={(event) => open(event, step)}
              >
                Ändern
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A line of the summary, and the step that asks for it. */
interface SummaryLine {
  readonly step: Step;
  readonly name: string;
  readonly text: string;
  /** The same in a word or two. */
  readonly brief?: string;
}

const NOTHING = "Keine Angabe";

/** Returns the answers in words, one line for each question before the contact step. */
function summaryLines(answers: Answers): readonly SummaryLine[] {
  return [
    { step: 0, name: "Gebäudetyp", text: propertyText(answers) },
    { step: 1, name: "Ort", text: trim(answers.postalCode) || NOTHING },
    ...LIST_NAMES.map((name) => listLine(answers, name)),
  ];
}

function propertyText({ propertyType, propertySubType }: Answers): string {
  if (propertyType === "") return NOTHING;
  return findProperty(propertyType, propertySubType)?.label ?? PROPERTY_TYPE_LABELS[propertyType];
}

function listLine(answers: Answers, name: ListName): SummaryLine {
  const { step, options, other, summary }: ListField = LIST_FIELDS[name];
  const text = trim(answers[other]);
  const chosen = options.filter(({ id }) => answers[name].includes(id));
  const labels = chosen.map(({ id, label }) => (id === OTHER && text !== "" ? `${label} (${text})` : label));
  const brief = `${chosen[0]?.label}${chosen.length > 1 ? ` +${chosen.length - 1}` : ""}`;
  return { step, name: summary, text: labels.join(", ") || NOTHING, brief };
}
