import type { ComponentProps } from "react";
import { Field } from "../components/field.tsx";
import { Branch, slot } from "../template/template.tsx";

interface ServedFieldProps extends Omit<ComponentProps<typeof Field>, "error"> {
  /** The condition on which it is wrong. */
  fault: string;
  /** What is wrong with it, if the condition does not say. */
  error?: string;
}

/** A field of which the server says what is wrong, if anything is. */
export function ServedField({ fault, error = slot(fault), ...field }: ServedFieldProps) {
  return <Branch test={fault} render={(isWrong) => <Field {...field} error={isWrong ? error : undefined} />} />;
}
