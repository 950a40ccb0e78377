import type { ReactNode } from "react";
import { If } from "../components/if.tsx";
import { slot } from "./template.tsx";

type Error = `review.${"stars" | "text" | "name"}_error`;

/** What links a control to its hint and error. */
interface Described {
  "aria-invalid": "true";
  "aria-describedby": string;
}

/** Returns an id that no other form of the page has; `src/site/templates/context/reviews.rs` names fields in the same way. */
export function idOf(name: string): string {
  return `${name}-${slot("review.number")}`;
}

/** Returns what ties a control to its hint, and to its error if there is one. */
export function describedBy(name: string, error: Error): Described {
  const isWrong = `{{ "true" if ${error} else "false" }}`;
  const errorId = `{{ "${name}-" ~ review.number ~ "-fehler " if ${error} else "" }}`;
  return { "aria-invalid": isWrong as "true", "aria-describedby": `${errorId}${idOf(name)}-hinweis` };
}

/** Says what is expected in a field, and what is wrong with it. */
export function ReviewHint({ name, error, children }: { name: string; error: Error; children: ReactNode }) {
  return (
    <>
      <p className="field-hint" id={`${idOf(name)}-hinweis`}>
        {children}
      </p>
      <If test={error}>
        <p className="field-error" id={`${idOf(name)}-fehler`}>
          {slot(error)}
        </p>
      </If>
    </>
  );
}

interface Props {
  name: string;
  label: string;
  hint: string;
  error: Error;
  /** Renders the control. */
  children: (described: Described & { id: string; className: string }) => ReactNode;
}

/** Renders a field of a review with its label, its hint and what is wrong with it. */
export function ReviewField({ name, label, hint, error, children }: Props) {
  return (
    <div className="field" data-invalid={`{{ "true" if ${error} else "false" }}`}>
      <label className="field-label" htmlFor={idOf(name)}>
        {label}
      </label>
      <ReviewHint name={name} error={error}>
        {hint}
      </ReviewHint>
      {children({ id: idOf(name), className: "field-input", ...describedBy(name, error) })}
    </div>
  );
}
