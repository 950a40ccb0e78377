import type { Answers } from "../inquiry/answers.ts";
import type { Change } from "./change.ts";
import type { FieldName } from "./rules.ts";
import { ContactStep } from "./steps/contact-step.tsx";
import { LocationsStep } from "./steps/locations-step.tsx";
import { PostalCodeStep } from "./steps/postal-code-step.tsx";
import { ProblemsStep } from "./steps/problems-step.tsx";
import { PropertyStep } from "./steps/property-step.tsx";
import type { Step } from "./steps.ts";

/** What every step is given. */
export interface StepProps {
  readonly answers: Answers;
  /** The texts at the wrong fields. */
  readonly errors: Partial<Readonly<Record<FieldName, string>>>;
  /** A change of the answers, and the name of the field it was made in. */
  readonly onChange: (change: Change, name: string) => void;
}

interface StepFieldsProps extends StepProps {
  readonly step: Step;
  /** A choice was made that goes on by itself. */
  readonly onChosen: () => void;
}

/** The questions of a step. */
export function StepFields({ step, onChosen, ...props }: StepFieldsProps) {
  switch (step) {
    case 0:
      return <PropertyStep {...props} onChosen={onChosen} />;
    case 1:
      return <PostalCodeStep {...props} />;
    case 2:
      return <ProblemsStep {...props} />;
    case 3:
      return <LocationsStep {...props} />;
    case 4:
      return <ContactStep {...props} />;
  }
}
