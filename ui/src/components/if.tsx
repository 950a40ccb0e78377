import type { ReactNode } from "react";

interface ConditionProps {
  /** An expression of the template language, such as `state == "open"`. */
  test: string;
  children: ReactNode;
  /** Shown if the condition is not met. */
  otherwise?: ReactNode;
}

/** Lets the server choose whether its children are shown. */
export function If({ test, children, otherwise }: ConditionProps) {
  return (
    <>
      {`{% if ${test} %}`}
      {children}
      {otherwise !== undefined && "{% else %}"}
      {otherwise}
      {"{% endif %}"}
    </>
  );
}
