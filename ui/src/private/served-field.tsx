import type { ComponentProps } from "react";
import { Field } from "../components/field.tsx";
import { Branch, slot } from "../template/template.tsx";

interface ServedFieldProps extends Omit<ComponentProps<typeof Field>, "error"> {
  /** The condition on which it is wrong. */
  fault: string;
  /** The error text, if the condition is not the text itself. */
  error?: string;
}

/** A field whose error, if any, is the server's to fill in. */
export function ServedField({ fault, error = slot(fault), ...field }: ServedFieldProps) {
  return <Branch test={fault} render={(isWrong) => <Field {...field} error={isWrong ? error : undefined} />} />;
}
