import type { Step } from "./steps.ts";
import { ContactStep } from "./steps/contact-step.tsx";
import { LocationsStep } from "./steps/locations-step.tsx";
import { PostalCodeStep } from "./steps/postal-code-step.tsx";
import { ProblemsStep } from "./steps/problems-step.tsx";
import { PropertyStep } from "./steps/property-step.tsx";
import type { StepProps } from "./steps/step-props.ts";

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
