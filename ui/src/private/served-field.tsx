import type { ComponentProps } from "react";
import { Field } from "../components/field.tsx";
import { Branch, slot } from "../template/template.tsx";

interface ServedFieldProps extends Omit<ComponentProps<typeof Field>, "error"> {
  /** The condition on which the field is invalid. */
  fault: string;
  /** The error text, unless the condition itself is the text. */
  error?: string;
}

/** A field whose error, if any, the server fills in. */
export function ServedField({ fault, error = slot(fault), ...field }: ServedFieldProps) {
  return <Branch test={fault} render={(isWrong) => <Field {...field} error={isWrong ? error : undefined} />} />;
}
