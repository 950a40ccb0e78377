import { Fragment, type ReactNode } from "react";

/**
 * The parts of the template language that pages use. Pages are rendered at build time; the server evaluates what this module
 * writes, and escapes each value for its context. Tests render each page with all its data, where a misspelt name fails.
 */

/** Returns the expression for a value that the server fills in. */
export function slot(expression: string): string {
  return `{{ ${expression} }}`;
}

/** Returns template source for one of two texts, for attributes and other places that cannot contain elements. */
export function either(test: string, text: string, otherwise = ""): string {
  return `{% if ${test} %}${text}${otherwise && `{% else %}${otherwise}`}{% endif %}`;
}

interface ConditionProps {
  /** An expression of the template language, such as `state == "open"`. */
  test: string;
  children: ReactNode;
  /** Shown if the condition is not met. */
  otherwise?: ReactNode;
}

/** Lets the server decide whether its children are shown. */
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

/** Lets the server render something in one of two ways, for optional attributes. */
export function Branch({ test, render }: { test: string; render: (isMet: boolean) => ReactNode }) {
  return (
    <If test={test} otherwise={render(false)}>
      {render(true)}
    </If>
  );
}

/** Lets the server choose the first of several cases whose condition is met. */
export function Choose({ cases, otherwise }: { cases: Readonly<Record<string, ReactNode>>; otherwise?: ReactNode }) {
  return (
    <>
      {Object.entries(cases).map(([test, shown], index) => (
        <Fragment key={test}>
          {`{% ${index === 0 ? "if" : "elif"} ${test} %}`}
          {shown}
        </Fragment>
      ))}
      {otherwise !== undefined && "{% else %}"}
      {otherwise}
      {"{% endif %}"}
    </>
  );
}

/** Lets the server repeat its children for each entry of a list. */
export function Each({ entry, list, children }: { entry: string; list: string; children: ReactNode }) {
  return (
    <>
      {`{% for ${entry} in ${list} %}`}
      {children}
      {"{% endfor %}"}
    </>
  );
}
