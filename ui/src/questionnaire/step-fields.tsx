import type { StepProps } from "./step-props.ts";
import type { Step } from "./steps.ts";
import { ContactStep } from "./steps/contact-step.tsx";
import { ListStep } from "./steps/list-step.tsx";
import { PostalCodeStep } from "./steps/postal-code-step.tsx";
import { PropertyStep } from "./steps/property-step.tsx";

/** The question of a step. */
export function StepFields({ step, ...props }: StepProps & { readonly step: Step }) {
  switch (step) {
    case 0:
      return <PropertyStep {...props} />;
    case 1:
      return <PostalCodeStep {...props} />;
    case 2:
      return <ListStep key="problems" name="problems" otherName="problemOther" {...props} />;
    case 3:
      return <ListStep key="locations" name="locations" otherName="locationOther" {...props} />;
    case 4:
      return <ContactStep {...props} />;
  }
}
