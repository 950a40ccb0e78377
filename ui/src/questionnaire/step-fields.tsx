import places from "../../generated/places.json" with { type: "json" };
import { CONSENT } from "../inquiry/rules.ts";
import { trim } from "../inquiry/validation.ts";
import { IfSetting } from "../template/settings.tsx";
import { Honeypot } from "./honeypot.tsx";
import { ListQuestion } from "./list-question.tsx";
import { PrivacyNote } from "./privacy-note.tsx";
import { PropertyQuestion } from "./property-question.tsx";
import { Question, type StepProps } from "./question.tsx";
import type { Step } from "./steps.ts";
import { Summary } from "./summary.tsx";
import { TextInput } from "./text-input.tsx";

const FIRMS_CALL = <input type="hidden" name="consent" value={CONSENT.version} />;

export function StepFields({ step, ...props }: StepProps & { readonly step: Step }) {
  switch (step) {
    case 0:
      return <PropertyQuestion {...props} />;
    case 1:
      return <PlaceQuestion {...props} />;
    case 2:
      return <ListQuestion key="problems" name="problems" {...props} />;
    case 3:
      return <ListQuestion key="locations" name="locations" {...props} />;
    case 4:
      return <ContactQuestion {...props} />;
  }
}

const PLACES: Readonly<Record<string, string>> = places;

/** Shows the place of a postal code as soon as it is complete. */
function PlaceQuestion(props: StepProps) {
  const code = trim(props.view.answers?.postalCode ?? "");
  return (
    <Question name="postalCode" {...props}>
      <div className="question-short">
        <TextInput name="postalCode" trimsPasted {...props} />
        <p className="strong" data-above="3" aria-live="polite">
          {PLACES[code] && `${code} ${PLACES[code]}`}
        </p>
      </div>
    </Question>
  );
}

function ContactQuestion(props: StepProps) {
  const { view, onOpen } = props;
  return (
    <>
      <Question name="firstName" {...props}>
        <div className="question-columns">
          <TextInput name="firstName" {...props} />
          <TextInput name="lastName" {...props} />
        </div>
        <TextInput name="email" {...props} />
        <TextInput name="phone" {...props} />
        <Honeypot />
      </Question>
      {view.answers && <Summary answers={view.answers} onOpen={onOpen} />}
      <PrivacyNote />
      <IfSetting name="handling.by_hand" otherwise={FIRMS_CALL}>
        <input type="hidden" name="consent" value={CONSENT.by_hand.version} />
      </IfSetting>
    </>
  );
}
